//! Reads declarations: types, tables, entities, variables, zones, definitions, queues and events.

use super::{Parse, Parser};
use crate::syntax::ast::{
    Column, Define, EntityDecl, Event, Field, Legal, Queue, QueueDiscipline, Reading, ReadingAlt,
    RoleDecl, Row, SizeBound, TableDecl, Trivia, TypeDecl, VarDecl, Zone, ZoneOption,
};
use crate::syntax::lex::Kind;

impl Parser<'_> {
    /// `NAME is one of a, b, c`
    pub(super) fn type_decl(&mut self) -> Parse<TypeDecl> {
        let name = self.name("the name of the type")?;
        self.expect_words(&["is", "one", "of"])?;
        let values = self.names("the name of a value")?;
        self.expect_end()?;
        Ok(TypeDecl { name, values })
    }

    /// `NAME` with columns and rows nested under it.
    pub(super) fn table(&mut self) -> Parse<TableDecl> {
        let name = self.name("the name of the table")?;
        self.expect_end()?;
        self.expect_block("its columns and rows")?;
        let (mut columns, mut rows) = (Vec::new(), Vec::new());
        let tail = self.block(&mut |parser, trivia| {
            // `row: integer` is a column of that name.
            if parser.peek_word(0) == "row" && !parser.is_at(1, Kind::Colon) {
                rows.extend(parser.attempt(|parser| parser.row(trivia).map(Some), None));
            } else {
                columns.extend(parser.attempt(|parser| parser.column(trivia).map(Some), None));
            }
        });
        Ok(TableDecl {
            name,
            columns,
            rows,
            tail,
        })
    }

    /// `NAME: TYPE[, default e]`
    fn column(&mut self, trivia: Trivia) -> Parse<Column> {
        let name = self.name("the name of a column, or `row`")?;
        let ty = self.of_type()?;
        let default = match self.eat_option("default") {
            true => Some(self.expr()?),
            false => None,
        };
        if !self.is_over() {
            return Err(self.unexpected("`, default …` or the end of the line"));
        }
        Ok(Column {
            trivia,
            name,
            ty,
            default,
        })
    }

    /// `row NAME with COLUMN = e, …`
    fn row(&mut self, trivia: Trivia) -> Parse<Row> {
        self.expect_words(&["row"])?;
        let name = self.name("the name of the row")?;
        let with = self.with("the name of a column")?;
        if !self.is_over() {
            return Err(self.unexpected("`with …`, `,` or the end of the line"));
        }
        Ok(Row { trivia, name, with })
    }

    /// `NAME from 2 to 4, explore up to 3, headroom 2`, with fields nested under it.
    pub(super) fn entity(&mut self, player: bool) -> Parse<EntityDecl> {
        let name = self.name("the name of the sort")?;
        let document = if self.eat_word("from") {
            let low = self.integer("a number")?;
            self.expect_words(&["to"])?;
            Some((low, self.integer("a number")?))
        } else {
            None
        };
        let mut entity = EntityDecl {
            player,
            name,
            document,
            explore: None,
            headroom: None,
            fields: Vec::new(),
            tail: Vec::new(),
        };
        loop {
            if entity.explore.is_none() && self.eat_option("explore") {
                entity.explore = Some(self.size_bound()?);
            } else if entity.headroom.is_none() && self.eat_option("headroom") {
                entity.headroom = Some(self.integer("a number")?);
            } else {
                break;
            }
        }
        if !self.is_over() {
            return Err(self.unexpected("`, explore …`, `, headroom …` or the end of the line"));
        }
        entity.tail = self.block(&mut |parser, trivia| entity.fields.extend(parser.field(trivia)));
        Ok(entity)
    }

    /// `[LOW to] HIGH`, `up to HIGH`
    fn size_bound(&mut self) -> Parse<SizeBound> {
        let up_to = self.eat_words(&["up", "to"]);
        let first = self.integer("a number")?;
        if up_to || !self.eat_word("to") {
            return Ok(SizeBound {
                low: None,
                high: first,
                up_to,
            });
        }
        Ok(SizeBound {
            low: Some(first),
            high: self.integer("a number")?,
            up_to,
        })
    }

    fn field(&mut self, trivia: Trivia) -> Option<Field> {
        self.attempt(
            |parser| {
                let name = parser.name("the name of a field")?;
                let ty = parser.of_type()?;
                let initial = parser.initial()?;
                parser.expect_end_of_declaration()?;
                Ok(Some(Field {
                    trivia,
                    name,
                    ty,
                    default: initial.default,
                    starts: initial.starts,
                }))
            },
            None,
        )
    }

    fn expect_end_of_declaration(&mut self) -> Parse<()> {
        if self.is_over() {
            return Ok(());
        }
        Err(self.unexpected("`, default …`, `, starts …` or the end of the line"))
    }

    /// `NAME: TYPE`
    pub(super) fn var(&mut self, supply: bool) -> Parse<VarDecl> {
        let name = self.name("a name")?;
        let ty = self.of_type()?;
        let initial = self.initial()?;
        self.expect_end_of_declaration()?;
        Ok(VarDecl {
            supply,
            name,
            ty,
            default: initial.default,
            starts: initial.starts,
        })
    }

    /// `NAME: SORT[, starts e]`
    pub(super) fn role(&mut self) -> Parse<RoleDecl> {
        let name = self.name("the name of the role")?;
        self.expect(Kind::Colon, "`:` and a sort")?;
        let sort = self.name("a sort such as `Player`")?;
        let starts = if self.eat_option("starts") {
            Some(self.expr()?)
        } else {
            None
        };
        self.expect_end()?;
        Ok(RoleDecl { name, sort, starts })
    }

    /// `NAME of SORT [per SORT]` with options.
    pub(super) fn zone(&mut self) -> Parse<Zone> {
        let name = self.name("the name of the zone")?;
        self.expect_words(&["of"])?;
        let sort = self.name("the sort of what lies in it")?;
        let per = if self.eat_word("per") {
            Some(self.name("a sort such as `Player`")?)
        } else {
            None
        };
        let mut options = Vec::new();
        while self.eat(Kind::Comma) {
            options.push(self.zone_option()?);
        }
        self.expect_end()?;
        Ok(Zone {
            name,
            sort,
            per,
            options,
        })
    }

    fn zone_option(&mut self) -> Parse<ZoneOption> {
        if self.eat_words(&["starts", "empty"]) {
            Ok(ZoneOption::StartsEmpty)
        } else if self.eat_words(&["holds", "at", "most"]) {
            self.integer("a number").map(ZoneOption::HoldsAtMost)
        } else if self.eat_words(&["explore", "at", "most"]) {
            self.integer("a number").map(ZoneOption::ExploreAtMost)
        } else if self.eat_word("unordered") {
            Ok(ZoneOption::Unordered)
        } else {
            Err(self.unexpected(
                "`starts empty`, `holds at most …`, `explore at most …` or `unordered`",
            ))
        }
    }

    /// `NAME(params) = e`, after `define`, or `NAME(param): TYPE = e`, after `continuous`
    pub(super) fn define(&mut self, continuous: bool) -> Parse<Define> {
        let name = self.name(match continuous {
            true => "the name of the value",
            false => "the name of the definition",
        })?;
        let params = self.parameters()?;
        let continuous = match continuous {
            true => Some(self.of_type()?),
            false => None,
        };
        self.expect(Kind::Equal, "`=` and the value")?;
        let body = self.expr()?;
        self.expect_end()?;
        Ok(Define {
            continuous,
            name,
            params,
            body,
        })
    }

    /// `NAME: e`, after `legal` or `explore only`
    pub(super) fn legal(&mut self, explored: bool) -> Parse<Legal> {
        if explored {
            self.expect_words(&["only"])?;
        }
        let name = self.name("a name for the condition")?;
        self.expect(Kind::Colon, "`:` and a condition")?;
        let condition = self.expr()?;
        self.expect_end()?;
        Ok(Legal {
            explored,
            name,
            condition,
        })
    }

    /// `NAME, first in first out[, explore up to n]`
    pub(super) fn queue(&mut self) -> Parse<Queue> {
        let name = self.name("the name of the queue")?;
        self.expect(
            Kind::Comma,
            "`,` and `first in first out`, `last in first out` or `by priority`",
        )?;
        let discipline = if self.eat_words(&["first", "in", "first", "out"]) {
            QueueDiscipline::FirstInFirstOut
        } else if self.eat_words(&["last", "in", "first", "out"]) {
            QueueDiscipline::LastInFirstOut
        } else if self.eat_words(&["by", "priority"]) {
            QueueDiscipline::ByPriority
        } else {
            return Err(
                self.unexpected("`first in first out`, `last in first out` or `by priority`")
            );
        };
        let capacity = if self.eat_option("explore") {
            self.expect_words(&["up", "to"])?;
            Some(self.integer("a number")?)
        } else {
            None
        };
        self.expect_end()?;
        Ok(Queue {
            name,
            discipline,
            capacity,
        })
    }

    /// `NAME(params), in QUEUE` or `, at once`, and `, listeners ORDER`
    pub(super) fn event(&mut self) -> Parse<Event> {
        let name = self.name("the name of the event")?;
        let params = self.all_parameters(true)?;
        self.expect(Kind::Comma, "`, in` and a queue, or `, at once`")?;
        let whenever = match self.eat_word("whenever") {
            true => {
                let condition = self.expr()?;
                self.expect(Kind::Comma, "`, in` and a queue, or `, at once`")?;
                Some(condition)
            }
            false => None,
        };
        let queue = if self.eat_word("in") {
            Some(self.name("the name of a queue")?)
        } else if self.eat_words(&["at", "once"]) {
            None
        } else {
            return Err(self.unexpected("`in` and a queue, or `at once`"));
        };
        let (mut listener, mut listeners) = (None, None);
        if self.eat(Kind::Comma) {
            self.expect_words(&["listeners"])?;
            if self.is_at(1, Kind::Colon) {
                let name = self.name("a name for the listener")?;
                self.expect(Kind::Colon, "`:` and the sort of the listeners")?;
                listener = Some((name, self.name("the sort of the listeners")?));
            }
            listeners = Some(self.order()?);
        }
        self.expect_end()?;
        Ok(Event {
            name,
            params,
            whenever,
            queue,
            listener,
            listeners,
        })
    }

    /// `NAME` with alternatives nested under it.
    pub(super) fn reading(&mut self) -> Parse<Reading> {
        let name = self.name("the name of the reading")?;
        self.expect_end()?;
        self.expect_block("one alternative on each line: its name and, in quotes, what it means")?;
        let mut alternatives = Vec::new();
        let tail = self.block(&mut |parser, trivia| {
            alternatives
                .extend(parser.attempt(|parser| parser.alternative(trivia).map(Some), None));
        });
        Ok(Reading {
            name,
            alternatives,
            tail,
        })
    }

    /// `NAME "in words" [cites ID, …]`
    fn alternative(&mut self, trivia: Trivia) -> Parse<ReadingAlt> {
        let name = self.name("the name of an alternative")?;
        let text = self.quoted("its meaning in quotes")?;
        let cites = if self.eat_word("cites") {
            self.clause_ids()?
        } else {
            Vec::new()
        };
        self.expect_end()?;
        Ok(ReadingAlt {
            trivia,
            name,
            text,
            cites,
        })
    }
}
