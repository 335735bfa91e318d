package branchline.inspector.extraction

import branchline.inspector.wire.InspectorContract

/** Names as the contract takes them: well-formed text without U+0000, at most [InspectorContract.MAX_NAME_LENGTH] characters. */
internal object PropertyName {
    private const val REPLACEMENT = '\uFFFD'

    /** The name itself where it fits; else cut, and with U+FFFD for what can't be in a name. */
    fun sanitize(text: String): String = if (text.length <= InspectorContract.MAX_NAME_LENGTH && isPlain(text)) text else repaired(text)

    private fun isPlain(text: String): Boolean {
        for (char in text) if (char == '\u0000' || char.isSurrogate()) return false
        return true
    }

    private fun repaired(text: String): String {
        val cut = text.take(InspectorContract.MAX_NAME_LENGTH)
        return buildString(cut.length) {
            cut.forEachIndexed { index, char -> append(if (isSound(cut, index)) char else REPLACEMENT) }
        }
    }

    /** Whether a character can stand where it is: it is neither U+0000 nor half of a pair without the other. */
    fun isSound(
        text: String,
        index: Int,
    ): Boolean {
        val char = text[index]
        return when {
            char.isHighSurrogate() -> text.getOrNull(index + 1)?.isLowSurrogate() == true
            char.isLowSurrogate() -> text.getOrNull(index - 1)?.isHighSurrogate() == true
            else -> char != '\u0000'
        }
    }
}
