//! The roles of layers in a graph, whatever their opset.

use super::infrastructure::{ASSIGN, CONST, PARAMETER, RESULT};

/// The role of a layer in its graph.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Role {
    /// An input of the net or body.
    Parameter,
    /// A constant in the weights file.
    Const,
    /// An output of the net or body.
    Result,
    /// A sink that writes a variable.
    Assign,
    /// Anything else.
    Inner,
}

impl Role {
    /// The role of a type. OpenVINO ignores the case of Parameter only.
    pub fn of(ty: &str) -> Self {
        match ty {
            CONST => Self::Const,
            RESULT => Self::Result,
            ASSIGN => Self::Assign,
            _ if ty.eq_ignore_ascii_case(PARAMETER) => Self::Parameter,
            _ => Self::Inner,
        }
    }

    /// The type of layers with this role; empty for [`Role::Inner`].
    pub(crate) fn type_name(self) -> &'static str {
        match self {
            Self::Parameter => PARAMETER,
            Self::Const => CONST,
            Self::Result => RESULT,
            Self::Assign => ASSIGN,
            Self::Inner => "",
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn types_have_roles_as_openvino_spells_them() {
        let roles = [("Const", Role::Const), ("Result", Role::Result), ("Assign", Role::Assign)];
        for (ty, role) in roles {
            assert_eq!(Role::of(ty), role);
            assert_eq!(Role::of(&ty.to_lowercase()), Role::Inner, "{ty}");
        }
        assert_eq!([Role::of("Parameter"), Role::of("parameter")], [Role::Parameter; 2]);
        assert_eq!(Role::of("ReLU"), Role::Inner);
    }
}
