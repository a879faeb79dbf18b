//! What every tree needs so that its traversals can be derived.

/// Declares how a tree is traversed: the traits `Walk`, `Visit` and `VisitMut` in the module that
/// calls it.
///
/// `nodes` are told to a visitor by a method of their own, which goes on with what is inside unless the
/// visitor has another; `ids` are told too, and lead nowhere by themselves (what they name is in an
/// arena). `leaves` are told to nobody. `condition` is the node that
/// can be met as a condition.
///
/// *Two kinds of visitor.* One that overrides the method of a node and looks at it with a `match` without
/// `_` is *exhaustive*: a new form does not compile until it is thought of. One that looks for a few forms
/// and lets the rest be walked is *lenient*: a new form is visited like all others.
///
/// The types that stand between nodes derive `Walk` (`endstep_walk`).
#[macro_export]
macro_rules! walkable {
    (
        nodes { $($node:ident, $node_mut:ident: $Node:ty;)* }
        ids { $($id:ident, $id_mut:ident: $Id:ty;)* }
        leaves { $($Leaf:ty;)* }
        condition: $tested:ident, $tested_mut:ident: $Tested:ty;
    ) => {
        /// A part of the tree. `meet` tells a visitor of it, `inside` of what stands directly in it, in
        /// the order in which it is evaluated.
        pub trait Walk {
            /// Tells of it.
            fn meet<'t, V: Visit<'t> + ?Sized>(&'t self, v: &mut V);
            /// Tells of it; it may be changed.
            fn meet_mut<V: VisitMut + ?Sized>(&mut self, v: &mut V);
            /// Tells of what is directly inside.
            fn inside<'t, V: Visit<'t> + ?Sized>(&'t self, v: &mut V);
            /// Tells of what is directly inside; it may be changed.
            fn inside_mut<V: VisitMut + ?Sized>(&mut self, v: &mut V);
            /// Tells of it, expressions as conditions.
            fn meet_condition<'t, V: Visit<'t> + ?Sized>(&'t self, v: &mut V) {
                self.meet(v);
            }
            /// The same; it may be changed.
            fn meet_condition_mut<V: VisitMut + ?Sized>(&mut self, v: &mut V) {
                self.meet_mut(v);
            }
        }

        /// Looks at a tree.
        #[allow(missing_docs, reason = "each method is named after what it is told of")]
        pub trait Visit<'t> {
            $(fn $node(&mut self, node: &'t $Node) {
                node.inside(self);
            })*
            $(fn $id(&mut self, id: $Id) {
                let _ = id;
            })*
            fn condition(&mut self, e: &'t $Tested) {
                self.$tested(e);
            }
        }

        /// Changes a tree.
        #[allow(missing_docs, reason = "each method is named after what it is told of")]
        pub trait VisitMut {
            $(fn $node_mut(&mut self, node: &mut $Node) {
                node.inside_mut(self);
            })*
            $(fn $id_mut(&mut self, id: &mut $Id) {
                let _ = id;
            })*
            fn condition_mut(&mut self, e: &mut $Tested) {
                self.$tested_mut(e);
            }
        }

        /// The expressions directly inside of a part, in the order in which they are met.
        fn directly(of: &impl Walk) -> Vec<&$Tested> {
            struct Directly<'t>(Vec<&'t $Tested>);
            impl<'t> Visit<'t> for Directly<'t> {
                fn $tested(&mut self, e: &'t $Tested) {
                    self.0.push(e);
                }
            }
            let mut found = Directly(Vec::new());
            of.inside(&mut found);
            found.0
        }

        $(impl Walk for $Id {
            fn meet<'t, V: Visit<'t> + ?Sized>(&'t self, v: &mut V) {
                v.$id(*self);
            }
            fn meet_mut<V: VisitMut + ?Sized>(&mut self, v: &mut V) {
                v.$id_mut(self);
            }
            fn inside<'t, V: Visit<'t> + ?Sized>(&'t self, _: &mut V) {}
            fn inside_mut<V: VisitMut + ?Sized>(&mut self, _: &mut V) {}
        })*

        $(impl Walk for $Leaf {
            fn meet<'t, V: Visit<'t> + ?Sized>(&'t self, _: &mut V) {}
            fn meet_mut<V: VisitMut + ?Sized>(&mut self, _: &mut V) {}
            fn inside<'t, V: Visit<'t> + ?Sized>(&'t self, _: &mut V) {}
            fn inside_mut<V: VisitMut + ?Sized>(&mut self, _: &mut V) {}
        })*

        $crate::walkable!(@around [T] Box<T>: this => T::(this.as_ref(), this.as_mut()));
        $crate::walkable!(@around [T] Option<T>: this => T::each(this.iter(), this.iter_mut()));
        $crate::walkable!(@around [T] Vec<T>: this => T::each(this.iter(), this.iter_mut()));
        $crate::walkable!(@around [A B] (A, B): this => A::(&this.0, &mut this.0) B::(&this.1, &mut this.1));
        $crate::walkable!(@around [A B C] (A, B, C): this =>
            A::(&this.0, &mut this.0) B::(&this.1, &mut this.1) C::(&this.2, &mut this.2));
    };
    // What stands around parts is told of by telling of them.
    (@around [$($T:ident)*] $Of:ty: $this:ident => $($parts:tt)*) => {
        impl<$($T: Walk),*> Walk for $Of {
            $crate::walkable!(@look meet, $this => $($parts)*);
            $crate::walkable!(@look inside, $this => $($parts)*);
            $crate::walkable!(@look meet_condition, $this => $($parts)*);
            $crate::walkable!(@change meet_mut, $this => $($parts)*);
            $crate::walkable!(@change inside_mut, $this => $($parts)*);
            $crate::walkable!(@change meet_condition_mut, $this => $($parts)*);
        }
    };
    (@look $meet:ident, $this:ident => $T:ident::each($all:expr, $_:expr)) => {
        fn $meet<'t, V: Visit<'t> + ?Sized>(&'t self, v: &mut V) {
            let $this = self;
            $all.for_each(|one| $T::$meet(one, v));
        }
    };
    (@look $meet:ident, $this:ident => $($T:ident::($part:expr, $_:expr))*) => {
        fn $meet<'t, V: Visit<'t> + ?Sized>(&'t self, v: &mut V) {
            let $this = self;
            $($T::$meet($part, v);)*
        }
    };
    (@change $meet:ident, $this:ident => $T:ident::each($_:expr, $all:expr)) => {
        fn $meet<V: VisitMut + ?Sized>(&mut self, v: &mut V) {
            let $this = self;
            $all.for_each(|one| $T::$meet(one, v));
        }
    };
    (@change $meet:ident, $this:ident => $($T:ident::($_:expr, $part:expr))*) => {
        fn $meet<V: VisitMut + ?Sized>(&mut self, v: &mut V) {
            let $this = self;
            $($T::$meet($part, v);)*
        }
    };
}
