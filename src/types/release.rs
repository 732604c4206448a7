//! Releases of OpenVINO.

use serde::{Serialize, Serializer};
use std::fmt;
use std::str::FromStr;

/// A release of OpenVINO, such as 2024.6; updates such as 2024.6.1 read the same files.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Release {
    year: u16,
    number: u8,
}

pub(crate) const fn release(year: u16, number: u8) -> Release {
    Release { year, number }
}

/// Every year with its first and last release.
const YEARS: &[(u16, u8, u8)] =
    &[(2020, 1, 4), (2021, 1, 4), (2022, 1, 3), (2023, 0, 3), (2024, 0, 6), (2025, 0, 4), (2026, 0, 4)];

impl FromStr for Release {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let mut parts = text.split('.').map(str::parse::<u16>);
        let (Some(Ok(year)), Some(Ok(number)), update, None) = (parts.next(), parts.next(), parts.next(), parts.next())
        else {
            return Err(format!("`{text}` is not a release of OpenVINO such as 2024.6"));
        };
        let years = YEARS.iter().find(|row| row.0 == year);
        let number =
            u8::try_from(number).ok().filter(|number| years.is_some_and(|row| (row.1..=row.2).contains(number)));
        match number {
            Some(number) if update.is_none_or(|update| update.is_ok()) => Ok(release(year, number)),
            _ => {
                let ends = YEARS.first().zip(YEARS.last()).map(|(first, last)| (first.0, first.1, last.0, last.2));
                let (year, number, last_year, last) = ends.unwrap_or_default();
                Err(format!("OpenVINO {text} is not known; releases are {year}.{number} to {last_year}.{last}"))
            }
        }
    }
}

impl fmt::Display for Release {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}.{}", self.year, self.number)
    }
}

impl Serialize for Release {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

impl Release {
    /// The newest known release.
    pub const NEWEST: Self = release(2026, 4);
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn releases_are_spelled_by_year_and_number() {
        assert_eq!("2024.6".parse(), Ok(release(2024, 6)));
        assert_eq!("2024.6.0".parse(), Ok(release(2024, 6)));
        assert_eq!(release(2024, 6).to_string(), "2024.6");
        assert!(release(2024, 6) < release(2025, 0));
        assert_eq!(YEARS.last().map(|(year, _, last)| release(*year, *last)), Some(Release::NEWEST));
        for unknown in ["2024.7", "2022.0", "2019.3", "2027.0", "2024.262"] {
            let message = format!("OpenVINO {unknown} is not known; releases are 2020.1 to 2026.4");
            assert_eq!(unknown.parse::<Release>(), Err(message));
        }
        for no_release in ["", "2024", "opset13", "2024.x", "2024.6.0.1"] {
            let message = format!("`{no_release}` is not a release of OpenVINO such as 2024.6");
            assert_eq!(no_release.parse::<Release>(), Err(message));
        }
    }
}
