package branchline.inspector.visual

import android.content.Context
import android.text.Editable
import android.text.InputType
import android.text.TextUtils
import android.text.TextWatcher
import android.util.TypedValue
import android.view.Gravity
import android.view.View
import android.view.ViewGroup.LayoutParams.MATCH_PARENT
import android.view.ViewGroup.LayoutParams.WRAP_CONTENT
import android.view.inputmethod.EditorInfo
import android.view.inputmethod.InputMethodManager
import android.widget.EditText
import android.widget.ImageView
import android.widget.LinearLayout

/** Where the user types what to look for. */
internal class SearchField(
    theme: ViewTheme,
    private val onQuery: (String) -> Unit,
) : LinearLayout(theme.context) {
    private val field =
        EditText(theme.context).apply {
            background = null
            hint = Texts.SEARCH
            ellipsize = TextUtils.TruncateAt.END
            inputType = InputType.TYPE_CLASS_TEXT or InputType.TYPE_TEXT_FLAG_NO_SUGGESTIONS
            imeOptions = EditorInfo.IME_ACTION_SEARCH
            minHeight = theme.px(IconButton.TARGET_DP)
            setTextSize(TypedValue.COMPLEX_UNIT_SP, TEXT_SP)
            setTextColor(theme.palette.text)
            setHintTextColor(theme.palette.quietText)
            textAlignment = View.TEXT_ALIGNMENT_VIEW_START
            setPaddingRelative(0, 0, 0, 0)
        }
    private val reset = IconButton(theme, Icon.CLOSE, Texts.CLEAR_SEARCH, theme.palette.quietText) { field.setText("") }

    init {
        layoutParams =
            LayoutParams(MATCH_PARENT, WRAP_CONTENT).apply {
                marginStart = theme.px(SIDE_DP)
                marginEnd = theme.px(SIDE_DP)
                topMargin = theme.px(GAP_DP)
                bottomMargin = theme.px(GAP_DP)
            }
        gravity = Gravity.CENTER_VERTICAL
        background = theme.rounded(theme.palette.inset, RADIUS_DP)
        val icon = ImageView(theme.context)
        icon.setImageDrawable(IconDrawable(Icon.SEARCH, theme.palette.quietText, theme.px(ICON_DP)))
        addView(
            icon,
            LayoutParams(WRAP_CONTENT, WRAP_CONTENT).apply {
                marginStart = theme.px(ICON_SIDE_DP)
                marginEnd = theme.px(ICON_SIDE_DP)
            },
        )
        addView(field, LayoutParams(0, WRAP_CONTENT, 1f))
        addView(reset)
        field.addTextChangedListener(Typing())
    }

    fun render(query: String) {
        if (field.text.toString() != query) field.setText(query)
        reset.visibility = if (query.isEmpty()) View.GONE else View.VISIBLE
    }

    fun hideKeyboard() {
        val keyboard = context.getSystemService(Context.INPUT_METHOD_SERVICE) as? InputMethodManager
        if (field.hasFocus()) keyboard?.hideSoftInputFromWindow(windowToken, 0)
        field.clearFocus()
    }

    private inner class Typing : TextWatcher {
        private var told = ""

        override fun beforeTextChanged(
            text: CharSequence?,
            start: Int,
            count: Int,
            after: Int,
        ): Unit = Unit

        override fun onTextChanged(
            text: CharSequence?,
            start: Int,
            before: Int,
            count: Int,
        ): Unit = Unit

        override fun afterTextChanged(text: Editable) {
            val query = text.toString()
            if (query == told) return
            told = query
            onQuery(query)
        }
    }

    private companion object {
        const val TEXT_SP = 15f
        const val SIDE_DP = 16
        const val GAP_DP = 8
        const val RADIUS_DP = 12
        const val ICON_DP = 20
        const val ICON_SIDE_DP = 12
    }
}
