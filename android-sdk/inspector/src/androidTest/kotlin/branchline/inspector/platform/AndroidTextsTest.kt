package branchline.inspector.platform

import org.junit.Assert.assertEquals
import org.junit.Test
import org.junit.runner.RunWith
import org.robolectric.RobolectricTestRunner
import org.robolectric.annotation.Config

@RunWith(RobolectricTestRunner::class)
@Config(sdk = [34])
internal class AndroidTextsTest {
    /** The first of `conformance/library/shape-ids.json`. */
    @Test
    fun `a digest is that of the contract`() =
        assertEquals("R3Fg1wv7cwBin6nuQNlvFyRQGu6M9JIFxPPJmbqonqw", digest("[\"App Opened\",\"[]\"]"))
}
