
// The player of a finding: its runs beside each other, step by step. Pages are complete without it.
{
  // An element; strings become text, whatever stands in them.
  const element = (tag, attributes, ...children) => {
    const made = document.createElement(tag);
    for (const [name, value] of Object.entries(attributes)) {
      made.setAttribute(name, value);
    }
    made.append(...children);
    return made;
  };

  // The boards of a run: where it begins, and after each frame.
  function boards(reel) {
    const all = [];
    let cards = {};
    let lying = {};
    let facts = {};
    for (const news of [reel.board, ...reel.frames]) {
      const before = { cards, lying, facts };
      cards = { ...cards, ...news.cards };
      lying = { ...lying, ...news.lying };
      facts = { ...facts, ...news.facts };
      all.push({ cards, lying, facts, before: all.length === 0 ? null : before });
    }
    return all;
  }

  function text(value, before) {
    const isNews = before !== null && before !== value;
    return isNews ? element("strong", { class: "changed" }, value) : value;
  }

  function card(board, place, id) {
    const { name, facts } = board.cards[id];
    const { before } = board;
    const came = before !== null && !(before.lying[place] ?? []).includes(id);
    const wasThere = before !== null && Object.values(before.lying).some((ids) => ids.includes(id));
    const known = wasThere ? before.cards[id].facts : undefined;
    const item = element("li", { class: came ? "card came" : "card" }, element("span", { class: "name" }, name));
    if (came) {
      item.append(" ", element("span", { class: "mark" }, "came here"));
    }
    if (facts.length > 0) {
      const told = facts.map((fact, at) => element("li", {}, text(fact, known?.[at] ?? null)));
      item.append(element("ul", { class: "facts" }, ...told));
    }
    return item;
  }

  // A place with what lies there.
  function spread(board, place, { name, ordered }) {
    const ids = board.lying[place] ?? [];
    const title = element("div", { class: "name" }, name);
    if (ordered && ids.length > 1) {
      title.append(" ", element("span", { class: "aside" }, "first to last"));
    }
    const shown = ids.map((id) => card(board, place, id));
    const inside =
      shown.length === 0
        ? element("div", { class: "nothing" }, "nothing")
        : element("ul", { class: "cards" }, ...shown);
    return element("div", { class: "spread" }, title, inside);
  }

  function scene(board, places) {
    const facts = Object.entries(board.facts).map(([at, fact]) =>
      element("li", {}, text(fact, board.before === null ? null : (board.before.facts[at] ?? ""))),
    );
    const vars = facts.length === 0 ? [] : [element("ul", { class: "facts vars" }, ...facts)];
    return [...places.map((place, at) => spread(board, at, place)), ...vars];
  }

  // What a clause says, with the way to it.
  function passage(clause) {
    const link = element("a", { href: clause.href }, clause.id);
    const where = clause.locator === "" ? [link] : [link, `, ${clause.locator}`];
    return [element("blockquote", {}, clause.says || "(no paraphrase)"), element("figcaption", {}, ...where)];
  }

  // How many frames all runs begin with alike; all of them, if none does anything that another does not.
  function alike(reels) {
    const frames = reels.map((reel) => [reel.board, ...reel.frames].map((one) => JSON.stringify(one)));
    const isEach = (at) => frames.every((own) => own[at] !== undefined && own[at] === frames[0]?.[at]);
    let shared = 0;
    while (reels.length > 1 && reels.every((reel) => reel.from === 0) && isEach(shared)) {
      shared += 1;
    }
    if (reels.length > 1 && frames.every((own) => own.length === shared)) {
      return Infinity;
    }
    // The last that they have in common is shown of each, if one of them ends there.
    return Math.min(shared - 1, ...reels.map((reel) => reel.frames.length - 1));
  }

  class Column {
    constructor(film, reel) {
      this.film = film;
      this.reel = reel;
      this.boards = boards(reel);
      this.last = reel.from + reel.frames.length;
      this.heading = element("div", { class: "step" });
      this.lines = element("ul", { class: "lines" });
      this.clause = element("figure", { class: "passage" });
      this.scene = element("div", { class: "scene", role: "group", "aria-label": "The board at this step" });
      this.title = element("h3", {}, reel.title);
      const title = film.reels.length > 1 ? [this.title] : [];
      this.section = element("div", { class: "run" }, ...title, this.heading, this.lines, this.scene, this.clause);
    }

    // Shows the board after so many frames, and says in words what happened.
    show(at) {
      const { film, reel } = this;
      const own = Math.min(Math.max(at - reel.from, 0), reel.frames.length);
      const frame = own === 0 ? null : reel.frames[own - 1];
      const lines = frame === null ? [] : frame.lines.map(([kind, line]) => [kind, line]);
      if (frame?.repeats === true) {
        lines.unshift(["repeats", "From here it repeats"]);
      }
      if (at >= this.last) {
        lines.push(["end", `In the end: ${reel.end}`]);
      }
      const later = at < reel.from ? "It begins where the first one ends" : "The board on which the first one ends";
      const started = reel.from > 0 ? later : "The board at the beginning";
      this.heading.textContent = frame === null ? started : this.headingAt(own);
      this.lines.replaceChildren(...lines.map(([kind, line]) => element("li", { class: kind }, line)));
      this.scene.replaceChildren(...scene(this.boards[own], film.places));
      const clause = film.clauses[frame?.clause ?? -1];
      this.clause.replaceChildren(...(clause === undefined ? [] : passage(clause)));
      return [this.heading.textContent, ...lines.map(([, line]) => line)].join(". ");
    }

    // The heading that a frame stands under.
    headingAt(own) {
      const over = this.reel.frames.slice(0, own).reverse().find((one) => one.heading !== null);
      return over?.heading ?? "What happens";
    }
  }

  class Player {
    constructor(film) {
      this.columns = film.reels.map((reel) => new Column(film, reel));
      this.alike = alike(film.reels);
      this.last = Math.max(...this.columns.map((one) => one.last));
      this.at = 0;
      this.counter = element("output", { class: "counter" });
      this.link = element("a", { class: "here" }, "link to this step");
      this.spoken = element("div", { class: "sr", "aria-live": "polite" });
      this.slider = element("input", { type: "range", min: "0", max: String(this.last), value: "0", "aria-label": "Step" });
      this.slider.addEventListener("input", () => this.go(Number(this.slider.value)));
      this.back = [this.button("First step", "|◀", () => 0), this.button("One step back", "◀", () => this.at - 1)];
      this.forth = [this.button("One step on", "▶", () => this.at + 1), this.button("Last step", "▶|", () => this.last)];
      const group = { class: "controls", role: "group", "aria-label": "Steps" };
      const part = this.button("go to where they part", "where they part", () => this.alike + 1);
      const parting = this.alike > 0 && this.alike < Infinity ? [part] : [];
      const controls = [...this.back, this.slider, ...this.forth, ...parting, this.counter, this.link];
      this.runs = element("div", { class: this.columns.length > 1 ? "beside" : "alone" }, ...this.columns.map((one) => one.section));
      this.section = element("section", { class: "player", "aria-labelledby": "play" });
      this.section.append(
        element("h2", { id: "play" }, "Step through it"),
        element("div", { class: "aside" }, "With the arrow keys, the buttons, or a swipe."),
        element("div", group, ...controls),
        this.spoken,
        this.runs,
      );
      this.section.addEventListener("keydown", (event) => this.pressed(event));
      document.addEventListener("keydown", (event) => {
        if (event.target === document.body || event.target === document.getElementById("main")) {
          this.pressed(event);
        }
      });
      this.swipes();
    }

    button(label, symbol, to) {
      const made = element("button", { type: "button", "aria-label": label, title: label }, symbol);
      made.addEventListener("click", () => this.go(to()));
      return made;
    }

    // A finger that goes left goes on.
    swipes() {
      let from = null;
      this.runs.addEventListener("pointerdown", (event) => {
        from = event.pointerType === "touch" ? event : null;
      });
      this.runs.addEventListener("pointerup", (event) => {
        const [right, down] = from === null ? [0, 0] : [event.clientX - from.clientX, event.clientY - from.clientY];
        if (Math.abs(right) > 40 && Math.abs(right) > 2 * Math.abs(down)) {
          this.go(this.at - Math.sign(right));
        }
        from = null;
      });
    }

    pressed(event) {
      const to = { ArrowLeft: this.at - 1, ArrowRight: this.at + 1, Home: 0, End: this.last }[event.key];
      const isOther = event.altKey || event.ctrlKey || event.metaKey || event.shiftKey;
      if (to === undefined || isOther || event.target === this.slider) {
        return;
      }
      event.preventDefault();
      this.go(to);
    }

    // Shows a step of all runs, and keeps it in the address.
    go(to) {
      this.show(to);
      try {
        history.replaceState(null, "", `${location.pathname}${location.search}#step-${this.at}`);
      } catch {
        // Some browsers allow no such address for a file; the player works without.
      }
    }

    show(to) {
      this.at = Math.min(Math.max(to, 0), this.last);
      const isShared = this.at <= this.alike;
      this.columns.forEach((one, number) => {
        one.section.hidden = isShared && number > 0;
        const shared = this.alike === Infinity ? "All go alike; they differ in what is seen of them" : "All begin alike";
        one.title.textContent = isShared ? shared : one.reel.title;
      });
      const told = this.columns.map((one) => one.show(this.at));
      this.spoken.textContent = (isShared ? told.slice(0, 1) : told).join(" | ");
      this.slider.value = String(this.at);
      this.counter.value = `step ${this.at} of ${this.last}`;
      this.section.id = `step-${this.at}`;
      this.link.href = `#step-${this.at}`;
      // A button that has the focus stays what it is, even where it does nothing any more.
      this.back.forEach((one) => one.setAttribute("aria-disabled", String(this.at === 0)));
      this.forth.forEach((one) => one.setAttribute("aria-disabled", String(this.at === this.last)));
    }

    // Shows the step that the address names, if it names one.
    follow() {
      const named = /^#step-(\d+)$/.exec(location.hash);
      this.show(named === null ? 0 : Number(named[1]));
      if (named !== null) {
        this.section.scrollIntoView();
      }
    }
  }

  const film = document.getElementById("film");
  if (film !== null) {
    const player = new Player(JSON.parse(film.textContent));
    film.before(player.section);
    player.follow();
    addEventListener("hashchange", () => {
      if (location.hash.startsWith("#step-")) {
        player.follow();
      }
    });
  }
}
