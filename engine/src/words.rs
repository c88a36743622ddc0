//! Every fixed word that the program says to people, in English and Chinese: one table, so that a translator sees all
//! of it at once. Texts of rules, problems and fixes are the packs' own.

use crate::diagnosis::{Certainty, Notice, Status, WithheldReason};
use crate::explanation::ProofStatus;
use crate::facts::{Origin, Reason};
use crate::ir::Risk;

/// A fixed text in both languages; `{0}`, `{1}` stand for what is filled in.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Word {
    en: &'static str,
    zh: &'static str,
}

impl Word {
    const fn new(en: &'static str, zh: &'static str) -> Self {
        Self { en, zh }
    }

    /// The text in a language; English for every language but Chinese.
    pub(crate) fn get(self, lang: &str) -> &'static str {
        if is_chinese(lang) { self.zh } else { self.en }
    }

    /// The text with its slots filled, `{0}` first. What is filled in is not looked at again.
    pub(crate) fn with(self, lang: &str, slots: &[&str]) -> String {
        let mut out = String::new();
        let mut rest = self.get(lang);
        while let Some((before, behind)) = rest.split_once('{') {
            out.push_str(before);
            let Some((slot, after)) = behind.split_once('}') else { break };
            out.push_str(slot.parse().ok().and_then(|index: usize| slots.get(index)).unwrap_or(&""));
            rest = after;
        }
        out.push_str(rest);
        out
    }
}

macro_rules! words {
    ($($(#[$doc:meta])* $name:ident: $en:literal, $zh:literal;)*) => {
        $($(#[$doc])* pub(crate) const $name: Word = Word::new($en, $zh);)*
    };
}

words! {
    // A reason that rests on this machine.
    ON_THIS_COMPUTER: "On this computer: {0}", "在这台电脑上：{0}";
    HOLDS_IF: "{0} This counts if {1}.", "{0}（前提：{1}。）";
    NOT_IF: "not if {0}", "如果{0}，就不要这样做";

    // Steps where a launcher has no template of its own, and what is added to one.
    ADD_FLAG: "Add {0} to the launch arguments.", "在启动参数里加上 {0}。";
    CHANGE_FLAG: "Change {0} to {1} in the launch arguments.", "把启动参数里的 {0} 改成 {1}。";
    REMOVE_FLAG: "Take {0} out of the launch arguments.", "从启动参数里去掉 {0}。";
    REPLACES: "{0} Take {1} out: it does not go together with the new one.", "{0} 同时去掉 {1}：它和新参数不能一起用。";
    REPLACES_IF_THERE: "{0} If {1} is there, take it out: it does not go together with the new one.",
        "{0} 如果已经有 {1}，请去掉：它和新参数不能一起用。";
    SET_VARIABLE: "Set the environment variable {0} to {1} before the program starts.", "在程序启动前，把环境变量 {0} 设为 {1}。";
    REMOVE_VARIABLE: "Start the program without the environment variable {0}.", "启动程序时不要设置环境变量 {0}。";
    SET_BY_SYSTEM: "{0}` (macOS, Linux) or, on Windows, `{1}", "{0}`（macOS、Linux），Windows 上用 `{1}";
    RUN: "Run `{0}`", "运行 `{0}`";
    RUN_THIS: "Run this command:", "运行这条命令：";
    ONLY_IF: "Only if {0}: {1}", "仅当{0}时：{1}";

    // Conditions.
    SAID_AND: " and ", " 且 ";
    SAID_OR: " or ", " 或 ";
    SAID_NOT: "not so: {0}", "并非：{0}";
    SAID_AT_LEAST: "at least {0} of: {1}", "以下至少 {0} 项：{1}";
    SAID_ANY: "some {0} has: {1}", "有 {0}：{1}";
    SAID_NO: "no {0} has: {1}", "没有 {0}：{1}";
    SAID_EVERY: "every {0} has: {1}", "每个 {0}：{1}";
    SAID_YES: "{0} is so", "{0}成立";
    SAID_NO_BOOL: "{0} is not so", "{0}不成立";
    SAID_IS: "{0} is {1}", "{0}是 {1}";
    SAID_IS_NOT: "{0} is not {1}", "{0}不是 {1}";
    SAID_LESS: "{0} is below {1}", "{0}低于 {1}";
    SAID_AT_MOST: "{0} is at most {1}", "{0}不高于 {1}";
    SAID_MORE: "{0} is above {1}", "{0}高于 {1}";
    SAID_NO_LESS: "{0} is at least {1}", "{0}不低于 {1}";
    SAID_WITHIN: "{0} is from {1} to {2}", "{0}在 {1} 到 {2} 之间";
    SAID_HAS: "{0} has {1}", "{0}里有 {1}";
    SAID_HAS_NONE: "{0} has no {1}", "{0}里没有 {1}";
    SAID_KNOWN: "{0} is known", "{0}已知";
    SAID_UNKNOWN: "{0} is not known", "{0}未知";
    SAID_NONE: "there is no {0}", "没有{0}";
    SAID_EXISTS: "there is {0}", "有{0}";
    SAID_SAYS: "{0} says {1}", "{0}里有 {1}";
    SAID_SAYS_NOT: "{0} does not say {1}", "{0}里没有 {1}";
    SAID_ERROR: "the error", "报错";
    SAID_LOG: "the log", "日志";
    SAID_TRACE: "the stack", "调用栈";
    SAID_PROBLEM: "the problem is \"{0}\"", "问题是“{0}”";
    SAID_NO_PROBLEM: "nothing else was found", "没有发现其他问题";

    // Notices.
    OTHER_MACHINE: "This computer was not asked for facts, since the text is of another one ({0}).",
        "没有读取这台电脑的信息，因为文本来自另一台电脑（{0}）。";
    DISAGREEMENT: "The text states `{0}` twice and differently: {1} is used here, {2} stands elsewhere.",
        "文本里 `{0}` 出现了两个不同的值：这里采用 {1}，另一处是 {2}。";

    // Headings of a diagnosis.
    UNDERSTOOD: "What was understood", "读懂了什么";
    ALSO_FOUND: "Also found", "另外发现";
    TO_TRY: "What to try: one change at a time, from the top", "可以试什么：从上到下，一次只改一处";
    NOT_OFFERED: "Not offered, and why", "没有列出的办法和原因";
    WOULD_HELP: "Answers that would help", "回答这些会有帮助";
    GOOD_TO_KNOW: "Good to know", "请注意";

    // Labels in front of a fix's parts.
    WHY: "Why", "原因";
    HOW: "How", "做法";
    OR_ON: "Or on", "或者在";
    OTHER_INSTALLS: "With --fact install=… only the steps for your install are shown.", "加上 --fact install=… 就只显示你那种安装方式的做法。";
    CHECK: "Check", "确认";
    UNDO: "Undo", "撤销";
    COST: "Cost", "代价";
    CAREFUL: "Careful", "注意";
    INSTEAD: "Or else", "或改用";
    SOURCE: "Source", "出处";
    RULES: "Rules", "规则";
    VERIFIED: "Checked", "核对";

    // Status.
    RECOMMENDED: "recommended", "推荐";
    POSSIBLE: "possible", "可能有用";
    POSSIBLE_PROBLEM: "possible", "可能";
    CERTAIN: "certain", "确定";
    WITHHELD: "withheld", "不采用";
    COVERED: "covered by another problem", "已包含在另一个问题里";
    KNOWN: "known", "已知";
    NONE: "known to have no value", "已知没有值";
    UNKNOWN: "not decided", "尚不能确定";
    ABSENT: "did not come up", "没有出现";
    DEPENDS_ON: "depends on {0}", "取决于 {0}";
    TAKEN_OUT: "the {0} `{1}` was taken out by the pack `{2}`", "{0} `{1}` 被规则包 `{2}` 停用";
    COVERED_BY: "part of {0}", "属于 {0}";
    RISK_LOW: "low risk", "风险低";
    RISK_MEDIUM: "medium risk", "风险中等";
    RISK_HIGH: "high risk", "风险高";
    AVOIDED: "advised against", "不建议";
    IN_EFFECT: "already in effect", "已经生效";
    NOT_APPLICABLE: "does not apply here", "这里不适用";
    TRIED: "already tried", "已经试过";

    // Where a fact came from.
    FROM_GIVEN: "given", "你给出的";
    FROM_TEXT: "text", "文本";
    FROM_RULE: "concluded", "推断";
    FROM_PROBE: "this computer", "这台电脑";
    GIVEN_LONG: "given by you", "由你给出";
    TEXT_LONG: "read from the text", "从文本读出";
    RULE_LONG: "concluded by a rule", "由规则推断";
    PROBE_LONG: "On this computer", "来自这台电脑";
    PROBE_AT: "On this computer, at {0}", "来自这台电脑，{0}";

    // Counts and joints.
    AND_MORE: "and {0} more", "还有 {0} 项";
    AND_MORE_VERBOSE: "and {0} more (-v shows them)", "还有 {0} 项（-v 全部显示）";
    MORE_LINES: "(goes on for {0} more lines)", "（后面还有 {0} 行）";
    NO_VALUE: "none", "无";
    JOIN: ", ", "、";
    COLON: ": ", "：";
    COMMA: ", ", "，";
    NOTES: "({0})", "（{0}）";
    LABELLED: "**{0}**: {1}", "**{0}**：{1}";
    DECIDES: "decides: {0}", "可以决定：{0}";
    ANSWER_WITH: "answer with --fact {0}={1}", "用 --fact {0}={1} 回答";
    DECLARED_ONLY_BY_FIXES: "No rule names this problem, but some know what may help.", "没有规则认识这个问题，但有规则知道什么可能有用。";

    // The end of a diagnosis.
    PROBES_OFF_HINT: "Some of this was read from this computer. If the failure happened on another one, run again with --probe never.",
        "以上有些内容读自这台电脑。如果故障发生在别的电脑上，请加 --probe never 再运行一次。";
    EXPLAIN_HINT: "Why? `rulecheck explain {0}`", "想知道为什么：`rulecheck explain {0}`";

    // Nothing matched.
    NO_RULE: "No rule knows this failure yet", "还没有规则认识这个故障";
    NO_FAILURE: "No rule recognises this text", "没有规则认识这段文本";
    NEAREST: "Known failures that come near, and what they would need", "相近的已知故障，以及各自还差什么";
    WOULD_TAKE: "{0}: if {1}", "{0}：如果{1}";
    ADD_TO_PASTE: "What to add to the paste", "请补充什么";
    ADD_ERROR: "The error itself: all lines from `Traceback`, `!!! Exception` or `Error` down to the last one.",
        "报错本身：从 `Traceback`、`!!! Exception` 或 `Error` 开始，直到最后一行。";
    ADD_TRACE: "The lines above the error: its whole traceback says which part of the program failed.",
        "报错上面的几行：完整的 traceback 能说明是程序的哪一部分出了错。";
    ADD_START: "The start of the log, where the program prints its system, GPU and versions (ComfyUI: the whole error report).",
        "日志开头：程序在那里打印系统、显卡和版本（ComfyUI：整份错误报告）。";
    ADD_RULE: "If you know what helped in the end, it can become a rule: `--rules FILE.rules` loads one beside the built-in packs.",
        "如果你最后找到了办法，可以写成规则：`--rules 文件.rules` 会和内置规则一起加载。";

    // Explanations.
    ORDER: "Why it stands where it does", "为什么排在这里";
    LEAST_CHANGE: "The least that would have to be different", "最少要改变什么它才会出现";
    NO_CHANGE: "No change of at most three facts was found that would bring it up.", "没有找到只改三项以内事实就能让它出现的办法。";
    LATER_FAILURES: "{0} more failures stand below it in the text ({1}): they follow from it, or came later.", "文本里下面还有 {0} 处报错（{1}）：它们是这个错误的后果，或发生得更晚。";
    LATER_FAILURE: "Another failure stands below it in the text ({0}): it follows from it, or came later.", "文本里下面还有一处报错（{0}）：它是这个错误的后果，或发生得更晚。";
    IS_SET: "`{0}` is set already.", "已经设置了 `{0}`。";
    NEEDS: "It is for another case: {0}.", "适用于另一种情况：{0}。";
    SEE_ABOVE: "{0} (shown above)", "{0}（见上文）";
    RULE_NODE: "rule {0}", "规则 {0}";
    FIX_NODE: "fix {0}: {1}", "办法 {0}：{1}";
    PROBLEM_NODE: "problem {0}: {1}", "问题 {0}：{1}";
    EXCEPT: "except: {0}", "例外：{0}";
    REQUIRES: "requires: {0}", "前提：{0}";
    FACT_UNKNOWN: "{0} is not known: {1}", "{0} 未知：{1}";
    NO_RULE_FOR: "no rule of the loaded packs speaks of {0}", "已加载的规则都没有提到 {0}";
    ORDER_ONLY: "It is the only suggestion.", "只有这一条建议。";
    ORDER_BEFORE: "It stands before {0}: {1}.", "排在 {0} 之前：{1}。";
    ORDER_BEHIND: "It stands behind {0}: {1}.", "排在 {0} 之后：{1}。";
    BY_PROBLEM: "it belongs to problem {0}, the other to {1}", "它属于问题 {0}，对方属于 {1}";
    BY_STATUS: "it is {0}, the other {1}", "它是“{0}”，对方是“{1}”";
    BY_PRIORITY: "its priority is {0}, the other's {1}", "它的优先级是 {0}，对方是 {1}";
    BY_RISK: "its risk is {0}, the other's {1}", "它的风险为{0}，对方为{1}";
    BY_TESTS: "{0} conditions hold behind it, {1} behind the other", "它有 {0} 个成立的条件，对方有 {1} 个";
    BY_DECLARATION: "all else being equal, the order of declaration decides", "其余都相同，按声明的先后";
    TEXT_HAS: "holds {0}", "含有 {0}";
    TEXT_HAS_NOT: "does not hold {0}", "不含 {0}";
    ANY_VALUE: "any value", "任意值";
    NOT_STATED: "nothing states it", "没有任何地方提到";
    NOT_ASKED: "this computer was not asked", "没有询问这台电脑";
    PROBES_ARE_OFF: "this computer is not asked in this run", "这次运行不询问这台电脑";
    NOT_DECIDED: "a rule that would conclude it is undecided", "得出它的规则还不能确定";
    NOT_PRESENT: "not present: {0}", "不存在：{0}";
    NOT_PERMITTED: "no permission: {0}", "没有权限：{0}";
    TIMED_OUT: "no answer in time: {0}", "没有及时回答：{0}";
    UNREADABLE: "unreadable: {0}", "读不懂：{0}";
    CONTRADICTED: "contradicted: {0}", "互相矛盾：{0}";
    LEGEND: "✓ holds   ✗ does not hold   ? not known", "✓ 成立   ✗ 不成立   ? 未知";
    LEFT_OUT: "What did not decide is left out; -v shows it.", "不起决定作用的部分没有列出，-v 全部显示。";
    NOTHING_TO_EXPLAIN: "Nothing came up, so there is nothing to explain.", "什么也没有出现，没有可解释的内容。";

    // Markdown.
    TRY_FIRST: "Try first", "先试";
    THEN: "Then", "然后";
}

fn is_chinese(lang: &str) -> bool {
    lang.get(..2).is_some_and(|start| start.eq_ignore_ascii_case("zh"))
}

/// A reason that rests on this machine, said as such.
pub(crate) fn on_this_computer(said: &str, lang: &str) -> String {
    ON_THIS_COMPUTER.with(lang, &[said])
}

/// The caution that an undecided exception gives: its condition in words.
pub(crate) fn not_if(condition: &str, lang: &str) -> String {
    NOT_IF.with(lang, &[condition])
}

/// The caution that an undecided piece of advice gives: its reason, and the condition that it waits for.
pub(crate) fn holds_if(because: &str, condition: &str, lang: &str) -> String {
    HOLDS_IF.with(lang, &[because, condition])
}

/// The step that adds a flag.
pub(crate) fn add_flag(flag: &str, lang: &str) -> String {
    ADD_FLAG.with(lang, &[&code(flag)])
}

/// The step that changes a flag's value.
pub(crate) fn change_flag(from: &str, to: &str, lang: &str) -> String {
    CHANGE_FLAG.with(lang, &[&code(from), &code(to)])
}

/// The step that takes flags out.
pub(crate) fn remove_flag(flags: &str, lang: &str) -> String {
    REMOVE_FLAG.with(lang, &[&code(flags)])
}

/// A step that adds a flag, and the flags that it takes the place of: known to be there, or perhaps there.
pub(crate) fn instead_of(step: &str, others: &str, known: bool, lang: &str) -> String {
    let word = if known { REPLACES } else { REPLACES_IF_THERE };
    word.with(lang, &[step, &code(others)])
}

/// The step that sets a variable.
pub(crate) fn set_variable(name: &str, value: &str, lang: &str) -> String {
    SET_VARIABLE.with(lang, &[&code(name), &code(value)])
}

/// The step that takes a variable back.
pub(crate) fn remove_variable(name: &str, lang: &str) -> String {
    REMOVE_VARIABLE.with(lang, &[&code(name)])
}

/// What is typed on each kind of system, where the system is not known.
pub(crate) fn set_by_system(sh: &str, cmd: &str, lang: &str) -> String {
    SET_BY_SYSTEM.with(lang, &[sh, cmd])
}

/// The step that is a command.
pub(crate) fn run(command: &str, lang: &str) -> String {
    RUN.with(lang, &[command])
}

/// A step with an undecided condition, in words.
pub(crate) fn only_if(condition: &str, step: &str, lang: &str) -> String {
    ONLY_IF.with(lang, &[condition, step])
}

/// Why a fix that is in effect is not offered.
pub(crate) fn is_set(change: &str, lang: &str) -> String {
    IS_SET.with(lang, &[change])
}

/// Why a fix that does not apply is not offered: what it requires.
pub(crate) fn needs(condition: &str, lang: &str) -> String {
    NEEDS.with(lang, &[condition])
}

/// A notice.
pub(crate) fn notice(notice: &Notice, lang: &str) -> String {
    match notice {
        Notice::LaterFailures { count: 1, first } => LATER_FAILURE.with(lang, &[first]),
        Notice::LaterFailures { count, first } => LATER_FAILURES.with(lang, &[&count.to_string(), first]),
        Notice::OtherMachine(what) => OTHER_MACHINE.with(lang, &[what]),
        Notice::Disagreement { fact, used, other } => DISAGREEMENT.with(lang, &[fact, used, other]),
    }
}

fn code(text: &str) -> String {
    format!("`{text}`")
}

/// What became of a fix.
pub(crate) const fn status(status: Status) -> Word {
    match status {
        Status::Recommended => RECOMMENDED,
        Status::Possible => POSSIBLE,
    }
}

/// How sure a problem is.
pub(crate) const fn certainty(certainty: Certainty) -> Word {
    match certainty {
        Certainty::Certain => CERTAIN,
        Certainty::Possible => POSSIBLE_PROBLEM,
    }
}

/// How risky a fix is.
pub(crate) const fn risk(risk: Risk) -> Word {
    match risk {
        Risk::Low => RISK_LOW,
        Risk::Medium => RISK_MEDIUM,
        Risk::High => RISK_HIGH,
    }
}

/// Why a fix is not offered.
pub(crate) const fn withheld(reason: WithheldReason) -> Word {
    match reason {
        WithheldReason::Avoided => AVOIDED,
        WithheldReason::InEffect => IN_EFFECT,
        WithheldReason::NotApplicable => NOT_APPLICABLE,
        WithheldReason::Tried => TRIED,
    }
}

/// Where a fact came from, as a heading.
pub(crate) const fn origin(origin: Origin) -> Word {
    match origin {
        Origin::Given => FROM_GIVEN,
        Origin::Text => FROM_TEXT,
        Origin::Rule => FROM_RULE,
        Origin::Probe => FROM_PROBE,
    }
}

/// Where a fact came from, as a phrase.
pub(crate) const fn origin_phrase(origin: Origin) -> Word {
    match origin {
        Origin::Given => GIVEN_LONG,
        Origin::Text => TEXT_LONG,
        Origin::Rule => RULE_LONG,
        Origin::Probe => PROBE_LONG,
    }
}

/// Why a fact is unknown.
pub(crate) fn reason(reason: &Reason, lang: &str) -> String {
    match reason {
        Reason::NotStated => NOT_STATED.get(lang).to_owned(),
        Reason::NotAsked => NOT_ASKED.get(lang).to_owned(),
        Reason::ProbesOff => PROBES_ARE_OFF.get(lang).to_owned(),
        Reason::Undecided => NOT_DECIDED.get(lang).to_owned(),
        Reason::NotPresent(why) => NOT_PRESENT.with(lang, &[why]),
        Reason::NotPermitted(why) => NOT_PERMITTED.with(lang, &[why]),
        Reason::TimedOut(why) => TIMED_OUT.with(lang, &[why]),
        Reason::Unreadable(why) => UNREADABLE.with(lang, &[why]),
        Reason::Contradicted(why) => CONTRADICTED.with(lang, &[why]),
    }
}

/// What became of what is explained.
pub(crate) const fn proof_status(status: ProofStatus) -> Word {
    match status {
        ProofStatus::Recommended => RECOMMENDED,
        ProofStatus::Possible => POSSIBLE_PROBLEM,
        ProofStatus::Withheld => WITHHELD,
        ProofStatus::Certain => CERTAIN,
        ProofStatus::Covered => COVERED,
        ProofStatus::Known => KNOWN,
        ProofStatus::None => NONE,
        ProofStatus::Unknown => UNKNOWN,
        ProofStatus::Absent => ABSENT,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn slots_are_filled_once() {
        assert_eq!(DEPENDS_ON.with("en", &["{0} {1}"]), "depends on {0} {1}");
        assert_eq!(AND_MORE.with("zh-CN", &["3"]), "还有 3 项");
        assert_eq!(AND_MORE.with("en", &[]), "and  more");
    }
}
