package branchline.inspector.wire

import org.junit.Assert.assertEquals
import org.junit.Assert.assertNull
import org.junit.Test
import org.junit.runner.RunWith
import org.robolectric.RobolectricTestRunner
import org.robolectric.annotation.Config

/** Receipts by the JSON of the platform. */
@RunWith(RobolectricTestRunner::class)
@Config(sdk = [34])
internal class ReceiptTest {
    private val text =
        """{"accepted":1,"duplicates":2.0,"samplingRate":0.5,"later":[{}],""" +
            """"rejected":[{"index":0,"messageId":null,"reason":"a \"b\" é"}]}"""

    @Test
    fun `a receipt is read`() {
        val receipt = checkNotNull(BatchReceipt.read(text))
        assertEquals(listOf(1, 2, 0.5), listOf(receipt.accepted, receipt.duplicates, receipt.samplingRate))
        val rejected = receipt.rejected.single()
        assertEquals(listOf(0, null, "a \"b\" é"), listOf(rejected.index, rejected.messageId, rejected.reason))
    }

    @Test
    fun `the ids of unknown shapes are read where they are a list of texts`() {
        val idsOf = { ids: String -> BatchReceipt.read(text.dropLast(1) + ",\"unknownShapeIds\":$ids}")?.unknownShapeIds }
        assertEquals(listOf("a", "b"), idsOf("[\"a\",\"b\"]"))
        assertEquals(emptyList<String>(), idsOf("[]"))
        for (others in listOf("null", "{}", "[1]", "\"a\"")) assertNull(others, idsOf(others))
        assertNull(BatchReceipt.read(text)?.unknownShapeIds)
    }

    @Test
    fun `what is no receipt is none`() {
        val others =
            listOf("", "<html>Sign in</html>", "{}", "[]", "null", text.dropLast(5)) +
                listOf(text.replace("1,", "\"1\","), text.replace("1,", "1.5,"), text.replace("1,", "3000000000,")) +
                listOf(text.replace("[{\"index\"", "[7,{\"index\""), text.replace("\"index\":0,", ""))
        for (other in others) assertNull(other, BatchReceipt.read(other))
    }

    @Test
    fun `what is nested beyond what the stack takes is none`() = assertNull(BatchReceipt.read("{\"a\":" + "[".repeat(500_000)))
}
