//! A rulebook as the shelf holds it: the books that are compiled in, and the protocol's [`System`](tricorne_game::System)
//! over a rulebook's own rooms.

/// The books of a rulebook that are compiled in, each read once: `book()` (clauses), `options()`, `stories()` and, where
/// there are uniforms, `wardrobe()`. One that cannot be read is a fault of the program: it is told at once, by its name, and
/// not taken for an empty book.
///
/// ```
/// const FILES: &[(&str, &str)] = &[
///     ("clauses.md", "# 4. Clauses\n### 4.1 Movement — MOVE\n- **TOY-MOVE-01** Six inches. *(src)*\n"),
///     ("options.toml", ""),
///     ("story.toml", "moved = \"{who} moved.\""),
/// ];
/// tricorne_drill::books! { FILES }
/// assert!(book().clause("TOY-MOVE-01").is_some());
/// assert!(options().specs.is_empty());
/// ```
#[macro_export]
macro_rules! books {
    ($files:expr $(, $uniforms:literal)? $(,)?) => {
        /// The clauses.
        pub fn book() -> &'static $crate::__game::Book {
            static BOOK: std::sync::LazyLock<$crate::__game::Book> = std::sync::LazyLock::new(|| {
                let text = const { $crate::page($files, "clauses.md") };
                $crate::__game::Book::read(text).unwrap_or_else(|e| panic!("clauses.md: {e}"))
            });
            &BOOK
        }

        /// The options.
        pub fn options() -> &'static $crate::__game::OptionBook {
            static OPTIONS: std::sync::LazyLock<$crate::__game::OptionBook> = std::sync::LazyLock::new(|| {
                let text = const { $crate::page($files, "options.toml") };
                $crate::compiled_in("options.toml", text, $crate::__game::OptionBook::read)
            });
            &OPTIONS
        }

        /// The sentences.
        pub fn stories() -> &'static $crate::__game::StoryBook {
            static STORIES: std::sync::LazyLock<$crate::__game::StoryBook> = std::sync::LazyLock::new(|| {
                let text = const { $crate::page($files, "story.toml") };
                $crate::compiled_in("story.toml", text, $crate::__game::StoryBook::read)
            });
            &STORIES
        }

        $(
            /// What armies wear and carry.
            pub fn wardrobe() -> &'static $crate::Wardrobe {
                static WARDROBE: std::sync::LazyLock<$crate::Wardrobe> = std::sync::LazyLock::new(|| {
                    let text = const { $crate::page($files, $uniforms) };
                    $crate::compiled_in($uniforms, text, $crate::Wardrobe::read)
                });
                &WARDROBE
            }
        )?
    };
}

/// Reads a file that is compiled in; one that cannot be read is a fault of the program.
#[doc(hidden)]
pub fn compiled_in<T>(
    name: &str,
    text: &str,
    read: impl FnOnce(&tricorne_game::Source) -> Result<T, tricorne_game::Fault>,
) -> T {
    read(&tricorne_game::Source::new(name, text)).unwrap_or_else(|fault| panic!("{fault}"))
}

/// The rule system of a rulebook: what the protocol asks for, handed on to the rooms that have it.
///
/// - `about`, and the type of its battle after `of`;
/// - `rulebook`: a module with what [`books!`](crate::books) writes, `SCENARIOS` and `data_files()`;
/// - `set_up`: from a file to a battle under the rules;
/// - `words`: what its scenario files say ([`Dialect`](crate::scenario::Dialect));
/// - `published`: the rulebook's files, where its schemas are among them and held to the types `actions` and `words`;
/// - `judgement`: what its programs weigh;
/// - `armies`: a module with `army_lists`, `muster`, `check_army`, `roster` and `pitch` (`with` something, if all of them are
///   given that first), with the `sheet`, what an editor needs (`drafting`) and the `ground` by chance;
/// - `secrets`: whether anything is hidden.
///
/// Beside the system it writes `any()`, the system for those who do not know its type: it is compiled here, once, and not in
/// every crate that picks a system at run time; and, where schemas are published, `described()`, the schemas as the types
/// have them.
#[macro_export]
macro_rules! system {
    (
        $(#[$doc:meta])*
        $vis:vis struct $System:ident of $Rules:ty {
            about: $about:expr,
            rulebook: $rulebook:ident,
            set_up: $set_up:expr,
            words: $Words:ty,
            $(published: $files:expr, actions: $Action:ty,)?
            $(judgement: $judgement:expr,)?
            $(
                armies: $armies:ident $(with $own:expr)?,
                sheet: $sheet:expr,
                drafting: $drafting:expr,
                ground: $ground:expr,
            )?
            $(secrets: $secrets:expr,)?
        }
    ) => {
        $(#[$doc])*
        #[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
        $vis struct $System;

        /// The rule system for those who do not know its type.
        #[allow(dead_code, reason = "a rulebook that nobody picks by name is one too")]
        #[inline(never)]
        $vis fn any() -> &'static dyn $crate::__game::AnySystem {
            &$System
        }

        impl $crate::__game::System for $System {
            type Battle = $crate::Umpired<$Rules>;

            fn about(&self) -> $crate::__game::About {
                $about
            }

            fn book(&self) -> &'static $crate::__game::Book {
                $rulebook::book()
            }

            fn options(&self) -> &'static $crate::__game::OptionBook {
                $rulebook::options()
            }

            fn stories(&self) -> &'static $crate::__game::StoryBook {
                $rulebook::stories()
            }

            fn scenarios(&self) -> &'static [$crate::__game::ScenarioText] {
                &$rulebook::SCENARIOS
            }

            fn data_files(&self) -> Vec<(&'static str, &'static str)> {
                $rulebook::data_files()
            }

            fn set_up(
                &self,
                file: &$crate::__game::Source,
                choices: &$crate::__game::Choices,
                purpose: $crate::__game::Purpose,
            ) -> Result<Self::Battle, $crate::__game::Fault> {
                $crate::chart::own_files(choices)?;
                $set_up(file, choices, purpose).map($crate::Umpired::new)
            }

            fn upgraded(&self, file: &$crate::__game::Source) -> Result<Option<String>, $crate::__game::Fault> {
                $crate::scenario::Scenario::<$Words>::upgraded(file, &$crate::__game::Choices::default())
            }

            $crate::system! { @schemas $Words $(, $files)? }

            $(
                fn judgement(&self) -> Option<$crate::__game::Judgement> {
                    Some($judgement)
                }
            )?

            $(
                fn army_lists(&self) -> Vec<$crate::__game::army::ArmyList> {
                    $armies::army_lists($($own)?)
                }

                fn muster(
                    &self,
                    call: &$crate::__game::army::MusterCall,
                    chance: &mut dyn $crate::__chance::Chance,
                ) -> Result<$crate::__game::army::Army, String> {
                    $armies::muster($($own,)? call, chance)
                }

                fn check_army(&self, army: &$crate::__game::army::Army) -> $crate::__game::army::ArmyReport {
                    $armies::check_army($($own,)? army)
                }

                fn roster(&self, army: &$crate::__game::army::Army) -> Option<$crate::__game::army::Roster> {
                    // A rulebook may have a roster for every army.
                    $armies::roster($($own,)? army).into()
                }

                fn pitch(
                    &self,
                    armies: &[$crate::__game::army::Army; 2],
                    terrain: &str,
                    table: Option<[f64; 2]>,
                ) -> Result<String, String> {
                    $armies::pitch($($own,)? armies, terrain, table)
                }

                fn reference(
                    &self,
                    choices: &$crate::__game::Choices,
                ) -> Option<$crate::__game::army::ReferenceSheet> {
                    let sheet: fn(&$crate::__game::Choices) -> Option<$crate::__game::army::ReferenceSheet> =
                        $sheet;
                    $crate::chart::own_files(choices).ok()?;
                    sheet(choices)
                }

                fn drafting(&self) -> Option<$crate::__game::drafting::Drafting> {
                    $drafting
                }

                fn random_terrain(
                    &self,
                    table: Option<[f64; 2]>,
                    chance: &mut dyn $crate::__chance::Chance,
                ) -> Result<String, String> {
                    let ground: fn(
                        Option<[f64; 2]>,
                        &mut dyn $crate::__chance::Chance,
                    ) -> Result<String, String> = $ground;
                    ground(table, chance)
                }
            )?

            $(
                fn secrets(&self) -> bool {
                    $secrets
                }
            )?
        }

        $(
            /// The schemas as the types have them, by the name of the rulebook's file that is held to each.
            #[cfg(feature = "schemas")]
            $vis fn described() -> [(&'static str, $crate::__json::Value); 2] {
                let _ = $files;
                [
                    ("action.schema.json", schemars::schema_for!($Action).to_value()),
                    ("scenario.schema.json", $crate::scenario::schema::<$Words>()),
                ]
            }
        )?
    };

    (@schemas $Words:ty, $files:expr) => {
        fn scenario_schema(&self) -> $crate::__json::Value {
            $crate::published(const { $crate::page($files, "scenario.schema.json") })
        }

        fn action_schema(&self) -> $crate::__json::Value {
            $crate::published(const { $crate::page($files, "action.schema.json") })
        }
    };

    (@schemas $Words:ty) => {
        fn scenario_schema(&self) -> $crate::__json::Value {
            $crate::scenario::schema::<$Words>()
        }
    };
}
