//! `FUNS`: one row a primitive or keyword. The parser, the printer, the interpreter, the compiler, the CUDA
//! templates and the tests all read this table, so a name, a rank or a type code is written once.

/// What a primitive does to shapes. It decides how the compiler may treat it.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Class {
    /// Elementwise in every argument: the CUDA and CPU functions are `stem_LETTERS` over storage letters.
    Map,
    /// A list to an atom (or the group's atom).
    Agg,
    /// A list to a list of the same count, each item from the items before it or around it.
    Scan,
    /// Anything else.
    Other,
}

/// One row of [`FUNS`].
#[derive(Debug)]
pub struct Fun {
    /// Which primitive this is; its discriminant is the row's index.
    pub prim: Prim,
    /// The stem of its function names in CUDA and on the CPU, and its name in the textual IR.
    pub stem: &'static str,
    /// How q writes it inside a tree: `+`, `-:`, `sum`.
    pub text: &'static str,
    /// Another spelling that the parser reads as this: `neg` for `-:`, `and` for `&`; empty if none.
    pub keyword: &'static str,
    /// q's type number for it.
    pub qtype: i8,
    /// The code of a 101h or 102h in a K object; 0 for others.
    pub code: u8,
    /// Fewest arguments that complete it.
    pub min: u8,
    /// Most arguments it takes.
    pub max: u8,
    /// What it does to shapes.
    pub class: Class,
}

impl Fun {
    /// Its name as a person writes it.
    pub fn word(&self) -> &'static str {
        if self.keyword.is_empty() { self.text } else { self.keyword }
    }
}

macro_rules! funs {
    ($($prim:ident $stem:literal $text:literal $keyword:literal $qtype:literal $code:literal $min:literal $max:literal $class:ident;)*) => {
        /// A primitive or keyword: an index into [`FUNS`].
        #[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
        #[repr(u8)]
        #[allow(missing_docs)]
        pub enum Prim { $($prim),* }

        /// The table. Columns: primitive, stem, text in a tree, keyword, q type, K code, least and most arguments, class.
        pub static FUNS: &[Fun] = &[$(Fun {
            prim: Prim::$prim, stem: $stem, text: $text, keyword: $keyword, qtype: $qtype, code: $code,
            min: $min, max: $max, class: Class::$class,
        }),*];
    };
}

funs! {
    // Unary primitives, 101h, by K code.
    Ident      "ident"      "::"    ""           101  0 1 1 Other;
    Flip       "flip"       "+:"    "flip"       101  1 1 1 Other;
    Neg        "neg"        "-:"    "neg"        101  2 1 1 Map;
    First      "first"      "*:"    "first"      101  3 1 1 Agg;
    Recip      "recip"      "%:"    "reciprocal" 101  4 1 1 Map;
    Where      "where"      "&:"    "where"      101  5 1 1 Other;
    Reverse    "reverse"    "|:"    "reverse"    101  6 1 1 Scan;
    Null       "null"       "^:"    "null"       101  7 1 1 Map;
    Group      "group"      "=:"    "group"      101  8 1 1 Other;
    GradeUp    "grade_up"   "<:"    ""           101  9 1 1 Scan;
    GradeDown  "grade_down" ">:"    ""           101 10 1 1 Scan;
    String     "string"     "$:"    "string"     101 11 1 1 Other;
    Enlist1    "enlist1"    ",:"    ""           101 12 1 1 Other;
    Count      "count"      "#:"    "count"      101 13 1 1 Agg;
    Floor      "floor"      "_:"    "floor"      101 14 1 1 Map;
    Not        "not"        "~:"    "not"        101 15 1 1 Map;
    Key        "key"        "!:"    "key"        101 16 1 1 Other;
    Distinct   "distinct"   "?:"    "distinct"   101 17 1 1 Other;
    Type       "type"       "@:"    "type"       101 18 1 1 Other;
    Get        "get"        ".:"    "value"      101 19 1 1 Other;
    Read0      "read0"      "0::"   "read0"      101 20 1 1 Other;
    Read1      "read1"      "1::"   "read1"      101 21 1 1 Other;
    Avg        "avg"        "avg"   "avg"        101 23 1 1 Agg;
    Last       "last"       "last"  "last"       101 24 1 1 Agg;
    Sum        "sum"        "sum"   "sum"        101 25 1 1 Agg;
    Prd        "prd"        "prd"   "prd"        101 26 1 1 Agg;
    Min        "min"        "min"   "min"        101 27 1 1 Agg;
    Max        "max"        "max"   "max"        101 28 1 1 Agg;
    Exit       "exit"       "exit"  "exit"       101 29 1 1 Other;
    Getenv     "getenv"     "getenv" "getenv"    101 30 1 1 Other;
    Abs        "abs"        "abs"   "abs"        101 31 1 1 Map;
    Sqrt       "sqrt"       "sqrt"  "sqrt"       101 32 1 1 Map;
    Log        "log"        "log"   "log"        101 33 1 1 Map;
    Exp        "exp"        "exp"   "exp"        101 34 1 1 Map;
    Sin        "sin"        "sin"   "sin"        101 35 1 1 Map;
    Asin       "asin"       "asin"  "asin"       101 36 1 1 Map;
    Cos        "cos"        "cos"   "cos"        101 37 1 1 Map;
    Acos       "acos"       "acos"  "acos"       101 38 1 1 Map;
    Tan        "tan"        "tan"   "tan"        101 39 1 1 Map;
    Atan       "atan"       "atan"  "atan"       101 40 1 1 Map;
    Enlist     "enlist"     "enlist" "enlist"    101 41 1 255 Other;
    Var        "var"        "var"   "var"        101 42 1 1 Agg;
    Dev        "dev"        "dev"   "dev"        101 43 1 1 Agg;
    Hopen      "hopen"      "hopen" "hopen"      101 44 1 1 Other;
    // An argument left out of a call, q's magic null; it prints as `::` does.
    Elided     "elided"     "::"    ""           101 255 0 0 Other;
    // Binary primitives, 102h, by K code.
    Assign     "assign"     ":"     ""           102  0 2 2 Other;
    Add        "add"        "+"     ""           102  1 2 2 Map;
    Sub        "sub"        "-"     ""           102  2 2 2 Map;
    Mul        "mul"        "*"     ""           102  3 2 2 Map;
    Divide     "divide"     "%"     ""           102  4 2 2 Map;
    Lesser     "lesser"     "&"     "and"        102  5 2 2 Map;
    Greater    "greater"    "|"     "or"         102  6 2 2 Map;
    Fill       "fill"       "^"     ""           102  7 2 2 Map;
    Eq         "eq"         "="     ""           102  8 2 2 Map;
    Lt         "lt"         "<"     ""           102  9 2 2 Map;
    Gt         "gt"         ">"     ""           102 10 2 2 Map;
    Dollar     "dollar"     "$"     ""           102 11 2 255 Other;
    Join       "join"       ","     ""           102 12 2 2 Other;
    Take       "take"       "#"     ""           102 13 2 2 Other;
    Drop       "drop"       "_"     ""           102 14 2 2 Other;
    Match      "match"      "~"     ""           102 15 2 2 Other;
    Bang       "bang"       "!"     ""           102 16 2 4 Other;
    Query      "query"      "?"     ""           102 17 2 6 Other;
    At         "at"         "@"     ""           102 18 2 4 Other;
    Dot        "dot"        "."     ""           102 19 2 4 Other;
    Text0      "text0"      "0:"    ""           102 20 2 2 Other;
    Bytes1     "bytes1"     "1:"    ""           102 21 2 2 Other;
    Dynload    "dynload"    "2:"    ""           102 22 2 2 Other;
    In         "in"         "in"    "in"         102 23 2 2 Map;
    Within     "within"     "within" "within"    102 24 2 2 Map;
    Like       "like"       "like"  "like"       102 25 2 2 Map;
    Bin        "bin"        "bin"   "bin"        102 26 2 2 Other;
    Ss         "ss"         "ss"    "ss"         102 27 2 2 Other;
    Insert     "insert"     "insert" "insert"    102 28 2 2 Other;
    Wsum       "wsum"       "wsum"  "wsum"       102 29 2 2 Agg;
    Wavg       "wavg"       "wavg"  "wavg"       102 30 2 2 Agg;
    Div        "div"        "div"   "div"        102 31 2 2 Map;
    Xexp       "xexp"       "xexp"  "xexp"       102 32 2 2 Map;
    Setenv     "setenv"     "setenv" "setenv"    102 33 2 2 Other;
    Binr       "binr"       "binr"  "binr"       102 34 2 2 Other;
    Cov        "cov"        "cov"   "cov"        102 35 2 2 Agg;
    Cor        "cor"        "cor"   "cor"        102 36 2 2 Agg;
    // Keywords that q defines itself. In q's trees these are functions of the type given; we name them.
    Ne         "ne"         "<>"    ""           105 0 2 2 Map;
    Le         "le"         "<="    ""           105 0 2 2 Map;
    Ge         "ge"         ">="    ""           105 0 2 2 Map;
    Ceiling    "ceiling"    "ceiling" "ceiling"  105 0 1 1 Map;
    All        "all"        "all"   "all"        105 0 1 1 Agg;
    Any        "any"        "any"   "any"        105 0 1 1 Agg;
    Differ     "differ"     "differ" "differ"    105 0 1 1 Scan;
    Union      "union"      "union" "union"      105 0 2 2 Other;
    Hsym       "hsym"       "hsym"  "hsym"       105 0 1 1 Other;
    System     "system"     "system" "system"    105 0 1 1 Other;
    Attr       "attr"       "attr"  "attr"       104 0 1 1 Other;
    Md5        "md5"        "md5"   "md5"        104 0 1 1 Other;
    Hcount     "hcount"     "hcount" "hcount"    104 0 1 1 Other;
    Eval       "eval"       "eval"  "eval"       104 0 1 1 Other;
    Reval      "reval"      "reval" "reval"      104 0 1 1 Other;
    Upsert     "upsert"     "upsert" "upsert"    104 0 2 2 Other;
    Mod        "mod"        "mod"   "mod"        100 0 2 2 Map;
    Xbar       "xbar"       "xbar"  "xbar"       100 0 2 2 Map;
    Xlog       "xlog"       "xlog"  "xlog"       100 0 2 2 Map;
    Signum     "signum"     "signum" "signum"    100 0 1 1 Map;
    Svar       "svar"       "svar"  "svar"       100 0 1 1 Agg;
    Sdev       "sdev"       "sdev"  "sdev"       100 0 1 1 Agg;
    Scov       "scov"       "scov"  "scov"       100 0 2 2 Agg;
    Med        "med"        "med"   "med"        100 0 1 1 Agg;
    Rand       "rand"       "rand"  "rand"       100 0 1 1 Other;
    Avgs       "avgs"       "avgs"  "avgs"       100 0 1 1 Scan;
    Next       "next"       "next"  "next"       100 0 1 1 Scan;
    Rank       "rank"       "rank"  "rank"       100 0 1 1 Scan;
    Iasc       "iasc"       "iasc"  "iasc"       100 0 1 1 Scan;
    Idesc      "idesc"      "idesc" "idesc"      100 0 1 1 Scan;
    Asc        "asc"        "asc"   "asc"        100 0 1 1 Scan;
    Desc       "desc"       "desc"  "desc"       100 0 1 1 Scan;
    Msum       "msum"       "msum"  "msum"       100 0 2 2 Scan;
    Mcount     "mcount"     "mcount" "mcount"    100 0 2 2 Scan;
    Mavg       "mavg"       "mavg"  "mavg"       100 0 2 2 Scan;
    Mdev       "mdev"       "mdev"  "mdev"       100 0 2 2 Scan;
    Mmin       "mmin"       "mmin"  "mmin"       100 0 2 2 Scan;
    Mmax       "mmax"       "mmax"  "mmax"       100 0 2 2 Scan;
    Xrank      "xrank"      "xrank" "xrank"      100 0 2 2 Scan;
    Xprev      "xprev"      "xprev" "xprev"      100 0 2 2 Scan;
    Rotate     "rotate"     "rotate" "rotate"    100 0 2 2 Scan;
    Ema        "ema"        "ema"   "ema"        100 0 2 2 Scan;
    Til        "til"        "til"   "til"        100 0 1 1 Other;
    Cut        "cut"        "cut"   "cut"        100 0 2 2 Other;
    Set        "set"        "set"   "set"        100 0 2 2 Other;
    Inter      "inter"      "inter" "inter"      100 0 2 2 Other;
    Except     "except"     "except" "except"    100 0 2 2 Other;
    Cross      "cross"      "cross" "cross"      100 0 2 2 Other;
    Sv         "sv"         "sv"    "sv"         100 0 2 2 Other;
    Vs         "vs"         "vs"    "vs"         100 0 2 2 Other;
    Sublist    "sublist"    "sublist" "sublist"  100 0 2 2 Other;
    EachKw     "each"       "each"  "each"       100 0 2 2 Other;
    ScanKw     "scan"       "scan"  "scan"       100 0 2 2 Other;
    OverKw     "over"       "over"  "over"       100 0 2 2 Other;
    PriorKw    "prior"      "prior" "prior"      100 0 2 2 Other;
    Peach      "peach"      "peach" "peach"      100 0 2 2 Other;
    Trim       "trim"       "trim"  "trim"       100 0 1 1 Other;
    Ltrim      "ltrim"      "ltrim" "ltrim"      100 0 1 1 Other;
    Rtrim      "rtrim"      "rtrim" "rtrim"      100 0 1 1 Other;
    Lower      "lower"      "lower" "lower"      100 0 1 1 Other;
    Upper      "upper"      "upper" "upper"      100 0 1 1 Other;
    Ssr        "ssr"        "ssr"   "ssr"        100 0 3 3 Other;
    Cols       "cols"       "cols"  "cols"       100 0 1 1 Other;
    Xcol       "xcol"       "xcol"  "xcol"       100 0 2 2 Other;
    Xcols      "xcols"      "xcols" "xcols"      100 0 2 2 Other;
    Keys       "keys"       "keys"  "keys"       100 0 1 1 Other;
    Xkey       "xkey"       "xkey"  "xkey"       100 0 2 2 Other;
    Xasc       "xasc"       "xasc"  "xasc"       100 0 2 2 Other;
    Xdesc      "xdesc"      "xdesc" "xdesc"      100 0 2 2 Other;
    Fkeys      "fkeys"      "fkeys" "fkeys"      100 0 1 1 Other;
    Meta       "meta"       "meta"  "meta"       100 0 1 1 Other;
    Lj         "lj"         "lj"    "lj"         100 0 2 2 Other;
    Ljf        "ljf"        "ljf"   "ljf"        100 0 2 2 Other;
    Ij         "ij"         "ij"    "ij"         100 0 2 2 Other;
    Ijf        "ijf"        "ijf"   "ijf"        100 0 2 2 Other;
    Pj         "pj"         "pj"    "pj"         100 0 2 2 Other;
    Aj         "aj"         "aj"    "aj"         100 0 3 3 Other;
    Aj0        "aj0"        "aj0"   "aj0"        100 0 3 3 Other;
    Ajf        "ajf"        "ajf"   "ajf"        100 0 3 3 Other;
    Ajf0       "ajf0"       "ajf0"  "ajf0"       100 0 3 3 Other;
    Asof       "asof"       "asof"  "asof"       100 0 2 2 Other;
    Uj         "uj"         "uj"    "uj"         100 0 2 2 Other;
    Ujf        "ujf"        "ujf"   "ujf"        100 0 2 2 Other;
    Ej         "ej"         "ej"    "ej"         100 0 3 3 Other;
    Wj         "wj"         "wj"    "wj"         100 0 4 4 Other;
    Wj1        "wj1"        "wj1"   "wj1"        100 0 4 4 Other;
    Fby        "fby"        "fby"   "fby"        100 0 2 2 Other;
    Xgroup     "xgroup"     "xgroup" "xgroup"    100 0 2 2 Other;
    Ungroup    "ungroup"    "ungroup" "ungroup"  100 0 1 1 Other;
    Ltime      "ltime"      "ltime" "ltime"      100 0 1 1 Other;
    Gtime      "gtime"      "gtime" "gtime"      100 0 1 1 Other;
    View       "view"       "view"  "view"       100 0 1 1 Other;
    Views      "views"      "views" "views"      100 0 1 1 Other;
    Tables     "tables"     "tables" "tables"    100 0 1 1 Other;
    Show       "show"       "show"  "show"       100 0 1 1 Other;
    Parse      "parse"      "parse" "parse"      100 0 1 1 Other;
    Use        "use"        "use"   "use"        100 0 1 1 Other;
    Save       "save"       "save"  "save"       106 0 1 1 Other;
    Load       "load"       "load"  "load"       106 0 1 1 Other;
    Rsave      "rsave"      "rsave" "rsave"      106 0 1 1 Other;
    Rload      "rload"      "rload" "rload"      106 0 1 1 Other;
    Dsave      "dsave"      "dsave" "dsave"      110 0 2 2 Other;
}

impl Prim {
    /// Its row of [`FUNS`].
    pub fn row(self) -> &'static Fun {
        &FUNS[self as usize]
    }

    /// The primitive that a tree writes as `text`.
    pub fn from_text(text: &str) -> Option<Prim> {
        FUNS.iter().find(|f| f.text == text).map(|f| f.prim)
    }

    /// The primitive that the keyword `word` stands for (`neg`, `and`, `sum` …). Keywords that q defines as
    /// derived functions (`sums`, `raze`, `prev` …) are values, see `parse::keyword`.
    pub fn from_keyword(word: &str) -> Option<Prim> {
        FUNS.iter().find(|f| !f.keyword.is_empty() && f.keyword == word).map(|f| f.prim)
    }

    /// The primitive whose stem is `stem`.
    pub fn from_stem(stem: &str) -> Option<Prim> {
        FUNS.iter().find(|f| f.stem == stem).map(|f| f.prim)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rows_stand_at_their_primitives() {
        for (i, f) in FUNS.iter().enumerate() {
            assert_eq!(f.prim as usize, i);
            assert_eq!(Prim::from_stem(f.stem), Some(f.prim), "stems are unique");
            assert!(f.min <= f.max);
        }
    }
}
