//! Reading addresses and ids out of built pages, without a browser.

/// The values of an attribute in the tags of a page.
pub fn values(html: &str, attribute: &str) -> Vec<String> {
    let marker = format!(" {attribute}=\"");
    let parts = html.split(&marker).skip(1);
    parts.map(|rest| rest.split('"').next().unwrap_or_default().replace("&amp;", "&")).collect()
}

/// Where a relative address leads from a page, both below the base: `diagrams/x/` and `../../y/` give `y/`.
/// `None` when it leads out of the site.
pub fn resolve(page: &str, address: &str) -> Option<String> {
    let mut folders: Vec<&str> = page.split('/').collect();
    folders.pop();
    let mut rest = address;
    loop {
        if let Some(next) = rest.strip_prefix("./") {
            rest = next;
        } else if let Some(next) = rest.strip_prefix("../") {
            folders.pop()?;
            rest = next;
        } else {
            break;
        }
    }
    let folder: String = folders.iter().map(|f| format!("{f}/")).collect();
    Some(format!("{folder}{rest}"))
}
