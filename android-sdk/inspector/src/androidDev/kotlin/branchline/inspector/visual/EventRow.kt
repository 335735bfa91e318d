package branchline.inspector.visual

import android.os.Bundle
import android.text.SpannableStringBuilder
import android.text.Spanned
import android.text.TextUtils
import android.text.style.ForegroundColorSpan
import android.view.Gravity
import android.view.View
import android.view.ViewGroup.LayoutParams.WRAP_CONTENT
import android.view.accessibility.AccessibilityNodeInfo
import android.view.accessibility.AccessibilityNodeInfo.AccessibilityAction
import android.widget.ImageView
import android.widget.LinearLayout

/** An event: its name, when it was tracked, what became of it, and whether a type changed. */
internal class EventRow(
    private val theme: ViewTheme,
    private val actions: InspectorActions,
) : LinearLayout(theme.context) {
    private val state = ImageView(theme.context)
    private val name =
        theme.label(NAME_SP, theme.palette.text, MEDIUM).apply {
            maxLines = NAME_LINES
            ellipsize = TextUtils.TruncateAt.END
        }
    private val facts = theme.label(FACTS_SP, theme.palette.quietText)
    private val changes =
        theme.label(FACTS_SP, theme.palette.changed, MEDIUM).apply {
            val size = theme.px(SMALL_ICON_DP)
            val icon = IconDrawable(Icon.CHANGED, theme.palette.changed, size)
            icon.setBounds(0, 0, size, size)
            setCompoundDrawablesRelative(icon, null, null, null)
            compoundDrawablePadding = theme.px(SMALL_GAP_DP)
            setPaddingRelative(0, theme.px(LINE_GAP_DP), 0, 0)
        }
    private val fold = ImageView(theme.context)
    private var item: ListItem.Event? = null

    init {
        gravity = Gravity.CENTER_VERTICAL
        minimumHeight = theme.px(LEAST_HEIGHT_DP)
        setPaddingRelative(theme.px(SIDE_DP), theme.px(ABOVE_DP), theme.px(SIDE_DP), theme.px(ABOVE_DP))
        val texts = LinearLayout(theme.context).apply { orientation = VERTICAL }
        texts.addView(name)
        texts.addView(facts, LayoutParams(WRAP_CONTENT, WRAP_CONTENT).apply { topMargin = theme.px(LINE_GAP_DP) })
        texts.addView(changes)
        addView(state, LayoutParams(theme.px(ICON_DP), theme.px(ICON_DP)).apply { marginEnd = theme.px(SIDE_DP) })
        addView(texts, LayoutParams(0, WRAP_CONTENT, 1f))
        addView(fold, LayoutParams(theme.px(FOLD_DP), theme.px(FOLD_DP)).apply { marginStart = theme.px(SMALL_GAP_DP) })
    }

    fun bind(item: ListItem.Event) {
        this.item = item
        val report = item.report
        val look = ReportStateStyle.find(report.state)
        val changed = report.changedTypes.size
        state.setImageDrawable(IconDrawable(look.icon, look.color(theme.palette), theme.px(ICON_DP)))
        name.text = report.event.eventName
        facts.text = describeFacts(report, look)
        changes.text = Texts.changedTypes(changed)
        changes.visibility = if (changed == 0) View.GONE else View.VISIBLE
        fold.setImageDrawable(IconDrawable(if (item.unfolded) Icon.FOLD else Icon.UNFOLD, theme.palette.quietText, theme.px(FOLD_DP)))
        contentDescription = AccessibilityText.event(report)
    }

    private fun describeFacts(
        report: Report,
        look: ReportStateStyle,
    ): CharSequence {
        val text = SpannableStringBuilder(look.word)
        text.setSpan(ForegroundColorSpan(look.color(theme.palette)), 0, text.length, Spanned.SPAN_EXCLUSIVE_EXCLUSIVE)
        return text
            .append(Texts.DOT)
            .append(Texts.time(report.event.observedAtMillis))
            .append(Texts.DOT)
            .append(Texts.properties(report.event.schema.size))
    }

    override fun onInitializeAccessibilityNodeInfo(info: AccessibilityNodeInfo) {
        super.onInitializeAccessibilityNodeInfo(info)
        val unfolded = item?.unfolded ?: return
        info.addAction(if (unfolded) AccessibilityAction.ACTION_COLLAPSE else AccessibilityAction.ACTION_EXPAND)
    }

    override fun performAccessibilityAction(
        action: Int,
        arguments: Bundle?,
    ): Boolean {
        val fold = action == AccessibilityNodeInfo.ACTION_COLLAPSE || action == AccessibilityNodeInfo.ACTION_EXPAND
        val report = item?.report
        if (!fold || report == null) return super.performAccessibilityAction(action, arguments)
        actions.foldOrUnfold(report)
        return true
    }

    private companion object {
        const val NAME_SP = 15f
        const val NAME_LINES = 3
        const val FACTS_SP = 13f
        const val LEAST_HEIGHT_DP = 64
        const val SIDE_DP = 16
        const val ABOVE_DP = 8
        const val ICON_DP = 24
        const val FOLD_DP = 20
        const val SMALL_ICON_DP = 14
        const val SMALL_GAP_DP = 8
        const val LINE_GAP_DP = 2
    }
}
