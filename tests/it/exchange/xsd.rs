//! A validator for as much of XML Schema as the schema of JUnit reports uses. It refuses any other
//! construct, so that nothing is silently unchecked.

use roxmltree::{Document, Node};

/// What of an element does not fit a schema whose elements are all declared at its top.
pub(super) fn misfits(schema: &Document<'_>, element: Node<'_, '_>) -> Vec<String> {
    let mut found = Vec::new();
    one(schema.root_element(), element, &mut found);
    found
}

fn one(schema: Node<'_, '_>, element: Node<'_, '_>, found: &mut Vec<String>) {
    let name = element.tag_name().name();
    let mut declared = schema
        .children()
        .filter(|node| node.has_tag_name((XS, "element")));
    let Some(declared) = declared.find(|node| node.attribute("name") == Some(name)) else {
        found.push(format!("<{name}> is not declared"));
        return;
    };
    if let Some(simple) = declared.attribute("type") {
        assert_eq!(simple, "xs:string", "the validator does not know this type");
        if element.children().any(|node| node.is_element()) || element.attributes().len() > 0 {
            found.push(format!("<{name}> is more than a text"));
        }
        return;
    }
    let parts: Vec<_> = declared.children().filter(Node::is_element).collect();
    let [complex] = parts[..] else {
        panic!("the validator does not know what <{name}> is declared to be");
    };
    assert!(complex.has_tag_name((XS, "complexType")));
    let texts = element
        .children()
        .filter_map(|node| node.text().filter(|_| node.is_text()));
    if complex.attribute("mixed") != Some("true")
        && texts.into_iter().any(|text| !text.trim().is_empty())
    {
        found.push(format!("<{name}> has a text"));
    }
    let parts: Vec<_> = complex.children().filter(Node::is_element).collect();
    let (sequences, attributes): (Vec<_>, Vec<_>) = parts
        .into_iter()
        .partition(|part| part.has_tag_name((XS, "sequence")));
    assert!(
        attributes
            .iter()
            .all(|part| part.has_tag_name((XS, "attribute")))
            && sequences.len() < 2
    );
    check_attributes(&attributes, element, found);
    check_children(sequences.first().copied(), element, found);
    for child in element.children().filter(Node::is_element) {
        one(schema, child, found);
    }
}

const XS: &str = "http://www.w3.org/2001/XMLSchema";

fn check_attributes(declared: &[Node<'_, '_>], element: Node<'_, '_>, found: &mut Vec<String>) {
    let tag = element.tag_name().name();
    for attribute in declared {
        assert_eq!(attribute.attribute("type"), Some("xs:string"));
        let name = attribute.attribute("name").unwrap();
        if attribute.attribute("use") == Some("required") && element.attribute(name).is_none() {
            found.push(format!("<{tag}> has no `{name}`"));
        }
    }
    for attribute in element.attributes() {
        let name = attribute.name();
        if !declared
            .iter()
            .any(|one| one.attribute("name") == Some(name))
        {
            found.push(format!("<{tag}> has `{name}`, which is not declared"));
        }
    }
}

/// The children are those of the sequence, in its order, as often as it says.
fn check_children(sequence: Option<Node<'_, '_>>, element: Node<'_, '_>, found: &mut Vec<String>) {
    let tag = element.tag_name().name();
    let mut left = element.children().filter(Node::is_element).peekable();
    let slots = sequence
        .into_iter()
        .flat_map(|sequence| sequence.children());
    for slot in slots.filter(Node::is_element) {
        let name = slot.attribute("ref").unwrap();
        let most = match slot.attribute("maxOccurs") {
            None | Some("1") => 1,
            Some("unbounded") => usize::MAX,
            Some(other) => panic!("the validator does not know `{other}`"),
        };
        let least = usize::from(slot.attribute("minOccurs") != Some("0"));
        let mut number = 0;
        while number < most && left.next_if(|child| child.has_tag_name(name)).is_some() {
            number += 1;
        }
        if number < least {
            found.push(format!("<{tag}> has no <{name}>"));
        }
    }
    if let Some(child) = left.next() {
        let name = child.tag_name().name();
        found.push(format!("<{tag}> has <{name}> where it may not be"));
    }
}
