//! Releases of OpenVINO, and the sets of them that must read a file, as `--target` takes them.

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

impl Release {
    /// The newest known release.
    pub const NEWEST: Self = release(2026, 4);

    /// All known releases, oldest first.
    pub fn all() -> impl DoubleEndedIterator<Item = Self> + Clone {
        YEARS.iter().flat_map(|&(year, first, last)| (first..=last).map(move |number| release(year, number)))
    }
}

/// A set of releases that must read a file, such as `2024.6`, `2023.3..2026.4` or `2023.3,2024.6`: a bit per release, in
/// the order of [`Release::all`]. At least one is set.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Targets(u64);

impl Targets {
    fn of(holds: impl Fn(Release) -> bool) -> Self {
        Self(Release::all().enumerate().filter(|(_, one)| holds(*one)).fold(0, |bits, (bit, _)| bits | 1 << bit))
    }

    /// The releases, oldest first.
    pub fn iter(self) -> impl DoubleEndedIterator<Item = Release> {
        let all: Vec<Release> = Release::all().collect();
        all.into_iter().enumerate().filter(move |(bit, _)| self.0 >> bit & 1 == 1).map(|(_, release)| release)
    }

    /// The oldest of the releases.
    pub fn oldest(self) -> Release {
        self.iter().next().unwrap_or(Release::NEWEST)
    }

    /// The newest of the releases.
    pub fn newest(self) -> Release {
        self.iter().next_back().unwrap_or(Release::NEWEST)
    }
}

impl FromStr for Targets {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        text.split(',').try_fold(Self(0), |all, part| {
            let (first, last) = part.split_once("..").unwrap_or((part, part));
            let (first, last): (Release, Release) = (first.trim().parse()?, last.trim().parse()?);
            if first > last {
                return Err(format!("{first} is newer than {last}; write `{last}..{first}`"));
            }
            Ok(Self(all.0 | Self::of(|one| (first..=last).contains(&one)).0))
        })
    }
}

impl fmt::Display for Targets {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let all: Vec<(Release, bool)> =
            Release::all().enumerate().map(|(bit, one)| (one, self.0 >> bit & 1 == 1)).collect();
        let runs = all.chunk_by(|a, b| a.1 == b.1).filter_map(|run| match run {
            [(only, true)] => Some(only.to_string()),
            [(first, true), .., (last, _)] => Some(format!("{first}..{last}")),
            _ => None,
        });
        f.write_str(&runs.collect::<Vec<_>>().join(","))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn targets_are_a_release_a_range_or_a_list() {
        let targets = |text: &str| text.parse::<Targets>();
        let one = targets("2024.6").unwrap();
        assert_eq!((one.oldest(), one.newest(), one.iter().count()), (release(2024, 6), release(2024, 6), 1));
        let range = targets("2023.3..2024.1").unwrap();
        assert_eq!(range.iter().map(|one| one.to_string()).collect::<Vec<_>>(), ["2023.3", "2024.0", "2024.1"]);
        assert_eq!(range.to_string(), "2023.3..2024.1");
        let list = targets("2026.4, 2022.3,2024.0..2024.1").unwrap();
        assert_eq!((list.oldest(), list.newest()), (release(2022, 3), Release::NEWEST));
        assert_eq!(list.to_string(), "2022.3,2024.0..2024.1,2026.4");
        assert_eq!(targets(""), Err("`` is not a release of OpenVINO such as 2024.6".to_owned()));
        assert_eq!(targets("2024.6..2023.0"), Err("2024.6 is newer than 2023.0; write `2023.0..2024.6`".to_owned()));
    }

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
