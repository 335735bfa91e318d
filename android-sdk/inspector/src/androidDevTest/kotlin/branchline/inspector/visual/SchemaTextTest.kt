package branchline.inspector.visual

import app.service.inspector.ServiceEventSchemaType.ServiceFloat
import app.service.inspector.ServiceEventSchemaType.ServiceInt
import app.service.inspector.ServiceEventSchemaType.ServiceList
import app.service.inspector.ServiceEventSchemaType.ServiceObject
import app.service.inspector.ServiceEventSchemaType.ServiceString
import branchline.inspector.visual.support.event
import org.junit.Assert.assertEquals
import org.junit.Test

internal class SchemaTextTest {
    private val reports = RecentReports()

    @Test
    fun whatIsHeldStandsBeneathWhatHoldsIt() {
        val item = ServiceObject(mapOf("sku" to ServiceString(), "sizes" to ServiceList(setOf(ServiceInt()))))
        val schema =
            mapOf(
                "total" to ServiceFloat(),
                "items" to ServiceList(linkedSetOf(item, ServiceInt())),
                "grid" to ServiceList(setOf(ServiceList(setOf(ServiceInt())))),
                "user" to ServiceObject(mapOf("id" to ServiceString())),
            )
        reports.onTracked(event("1", "checkout", schema))

        val text =
            """
            checkout
              total: float
              items: list
                - object
                  sku: string
                  sizes: list<int>
                - int
              grid: list
                - list<int>
              user: object
                id: string
            """.trimIndent()
        assertEquals(text, schemaText(reports.snapshot.newestFirst.first()))
    }

    @Test
    fun aChangedTypeSaysWhatItWas() {
        reports.onTracked(event("1", "buy", mapOf("user" to ServiceObject(mapOf("age" to ServiceInt())))))
        reports.onTracked(event("2", "buy", mapOf("user" to ServiceObject(mapOf("age" to ServiceString())))))

        val text = "buy\n  user: object\n    age: string (was int)"
        assertEquals(text, schemaText(reports.snapshot.newestFirst.first()))
    }

    @Test
    fun anEventWithoutPropertiesIsItsName() {
        reports.onTracked(event("1", "app_opened", emptyMap()))
        assertEquals("app_opened", schemaText(reports.snapshot.newestFirst.first()))
    }
}
