//! The project's web addresses in reports.

/// The repository; `None` while Cargo.toml has a placeholder for its owner.
pub(super) fn repository() -> Option<&'static str> {
    published(env!("CARGO_PKG_REPOSITORY"))
}

/// The page about a rule, as of this version.
pub(super) fn rule_page(rule: &str) -> Option<String> {
    repository().map(|repository| format!("{repository}/blob/v{}/docs/rules/{rule}.md", env!("CARGO_PKG_VERSION")))
}

fn published(repository: &str) -> Option<&str> {
    (!repository.is_empty() && !repository.contains("/OWNER/")).then_some(repository)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_placeholder_is_not_an_address() {
        assert_eq!(published("https://github.com/OWNER/ovlint"), None);
        assert_eq!(published(""), None);
        assert_eq!(published("https://github.com/someone/ovlint"), Some("https://github.com/someone/ovlint"));
    }
}
