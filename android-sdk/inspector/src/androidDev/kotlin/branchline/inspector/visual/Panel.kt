package branchline.inspector.visual

import android.annotation.TargetApi
import android.graphics.Rect
import android.os.Build
import android.view.Gravity
import android.view.KeyEvent
import android.view.View
import android.view.ViewGroup.LayoutParams.MATCH_PARENT
import android.view.ViewGroup.LayoutParams.WRAP_CONTENT
import android.widget.FrameLayout
import android.widget.LinearLayout

/** The list of events with search and controls: a sheet over the lower part of the Activity; above it the host stays in reach. */
internal class Panel(
    private val theme: ViewTheme,
    private val state: InspectorState,
    private val actions: InspectorActions,
) : LinearLayout(theme.context) {
    private val header = PanelHeader(theme, actions)
    private val search = SearchField(theme, actions::search)
    private val list = EventList(theme, actions)
    private val footer = Footer(theme)
    private val back = BackGesture.ifAny(actions::close)

    init {
        layoutParams = FrameLayout.LayoutParams(MATCH_PARENT, MATCH_PARENT, Gravity.BOTTOM or Gravity.CENTER_HORIZONTAL)
        orientation = VERTICAL
        background = theme.rounded(theme.palette.surface, top = RADIUS_DP, bottom = 0)
        clipToOutline = true
        elevation = theme.px(ELEVATION_DP).toFloat()
        isClickable = true
        isFocusableInTouchMode = true
        descendantFocusability = FOCUS_BEFORE_DESCENDANTS
        if (Build.VERSION.SDK_INT >= Build.VERSION_CODES.P) nameAsPane()
        addView(header, LayoutParams(MATCH_PARENT, WRAP_CONTENT))
        addView(search)
        addView(list, LayoutParams(MATCH_PARENT, 0, 1f))
        addView(footer, LayoutParams(MATCH_PARENT, WRAP_CONTENT))
    }

    fun render(live: RecentSnapshot) {
        val shown = state.pausedAt ?: live
        val query = state.query.trim()
        val found = if (query.isEmpty()) shown.newestFirst else shown.newestFirst.filter { it.matches(query) }
        header.render(paused = state.pausedAt != null)
        search.render(state.query)
        list.render(found, state.unfolded, if (query.isEmpty()) Texts.NOTHING_YET else Texts.nothingFound(query))
        footer.render(shown, found.size, newer = state.pausedAt?.let { live.tracked - it.tracked })
    }

    /** The sheet reaches down behind the system's bars; its content does not. */
    fun keepClear(safeArea: Rect) {
        val params = layoutParams as FrameLayout.LayoutParams
        params.setMargins(safeArea.left, safeArea.top, safeArea.right, 0)
        layoutParams = params
        setPadding(0, 0, 0, safeArea.bottom)
    }

    /** Before it is removed: the keyboard must not stay behind. */
    fun leave() {
        search.hideKeyboard()
    }

    override fun onMeasure(
        widthMeasureSpec: Int,
        heightMeasureSpec: Int,
    ) {
        val width = minOf(MeasureSpec.getSize(widthMeasureSpec), theme.px(MAX_WIDTH_DP))
        val room = MeasureSpec.getSize(heightMeasureSpec)
        val wanted = maxOf(((room - paddingBottom) * SHARE).toInt(), theme.px(LEAST_HEIGHT_DP)) + paddingBottom
        val height = minOf(room, wanted)
        super.onMeasure(exactly(width), exactly(height))
    }

    override fun dispatchKeyEvent(event: KeyEvent): Boolean {
        if (event.keyCode != KeyEvent.KEYCODE_BACK && event.keyCode != KeyEvent.KEYCODE_ESCAPE) return super.dispatchKeyEvent(event)
        if (event.action == KeyEvent.ACTION_UP && !event.isCanceled) actions.close()
        return true
    }

    override fun onAttachedToWindow() {
        super.onAttachedToWindow()
        back?.listenOn(this)
    }

    override fun onDetachedFromWindow() {
        back?.stop()
        super.onDetachedFromWindow()
    }

    @TargetApi(Build.VERSION_CODES.P)
    private fun nameAsPane() {
        accessibilityPaneTitle = Texts.PANE_TITLE
    }

    private fun exactly(size: Int) = View.MeasureSpec.makeMeasureSpec(size, View.MeasureSpec.EXACTLY)

    private companion object {
        const val RADIUS_DP = 16
        const val ELEVATION_DP = 12
        const val MAX_WIDTH_DP = 600
        const val LEAST_HEIGHT_DP = 400
        const val SHARE = 0.72f
    }
}
