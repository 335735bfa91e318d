package app.service.inspector

import android.app.Activity
import android.app.Application
import android.content.pm.ApplicationInfo
import android.net.Uri
import branchline.inspector.StaticSettings
import org.json.JSONArray
import org.json.JSONObject
import org.junit.After
import org.junit.Assert.assertEquals
import org.junit.Assert.assertFalse
import org.junit.Assert.assertTrue
import org.junit.Test
import org.junit.runner.RunWith
import org.robolectric.Robolectric
import org.robolectric.RobolectricTestRunner
import org.robolectric.RuntimeEnvironment
import org.robolectric.shadows.ShadowLog

/** What an app sees of the library on Android, in either artifact. */
@RunWith(RobolectricTestRunner::class)
internal class FacadeTest {
    private val application: Application = RuntimeEnvironment.getApplication()

    @After
    fun reset() = StaticSettings.reset()

    private val lines: List<String> get() = ShadowLog.getLogsForTag("ServiceInspector").map { it.msg }

    private fun inspector(env: ServiceInspectorEnv? = ServiceInspectorEnv.Prod) = ServiceInspector("key", application, env)

    private fun typeOf(value: Any?) = inspector().extractSchema(mapOf("value" to value))["value"].toString()

    @Test
    fun `JSON objects and arrays are read with their nulls`() {
        val json = JSONObject("""{"price": 5, "rate": 1.5, "on": true, "name": "x", "none": null, "tags": ["a", null, {"k": []}]}""")
        val schema = inspector().trackSchemaFromEvent("Viewed", json)
        assertEquals(
            mapOf(
                "price" to "int",
                "rate" to "float",
                "on" to "boolean",
                "name" to "string",
                "none" to "null",
                "tags" to "list<string|null|{k: list<>}>",
            ),
            schema.mapValues { it.value.toString() },
        )
        assertEquals("{a: {b: int}}", typeOf(JSONObject().put("a", JSONObject().put("b", 1))))
        assertEquals("list<int>", typeOf(JSONArray(listOf(1, 2))))
        assertEquals("null", typeOf(JSONObject.NULL))
    }

    @Test
    fun `a JSON object that holds itself is unknown where it does`() {
        val json = JSONObject()
        json.put("self", json)
        assertEquals("{self: unknown}", ServiceEventSchemaType.ServiceObject(inspector().extractSchema(json)).toString())
    }

    @Test
    fun `an Uri is a string, and of Android's other classes nothing is known`() {
        assertEquals("string", typeOf(Uri.parse("https://example.com")))
        assertEquals("unknown", typeOf(application.resources))
        assertEquals("unknown", typeOf(Robolectric.buildActivity(Activity::class.java).get().window))
    }

    @Test
    fun `whoever passes null gets schemas, and one warning that none is sent`() {
        val incomplete =
            listOf(
                { ServiceInspector(null, application, ServiceInspectorEnv.Prod) } to "no API key was given",
                { ServiceInspector("  ", application, ServiceInspectorEnv.Prod) } to "no API key was given",
                { ServiceInspector("k\ney", application, ServiceInspectorEnv.Prod) } to "characters that no key has",
                { ServiceInspector("key", null, ServiceInspectorEnv.Prod) } to "no application was given",
                { ServiceInspector("key", application, null) } to "no environment was given",
                { ServiceInspector(null, null, null, null) } to "no API key was given",
            )
        for ((make, reason) in incomplete) {
            ShadowLog.clear()
            val inspector = make()
            repeat(2) { assertEquals("{a=int}", inspector.trackSchemaFromEvent("Viewed", mapOf("a" to 1)).toString()) }
            inspector.trackSchema("Viewed", null)
            inspector.setOptOut(true)
            assertTrue(inspector.isOptedOut())
            assertEquals(1, lines.size)
            assertTrue(lines.single(), lines.single().startsWith("Schemas are derived, but none is sent: ") && reason in lines.single())
        }
    }

    @Test
    fun `an event without a name is not reported, which the log says`() {
        inspector().trackSchemaFromEvent("", mapOf("a" to 1))
        assertEquals(
            listOf("An event without a name is not reported. Pass the name under which it is tracked."),
            lines.filter {
                "name" in
                    it
            },
        )
    }

    @Test
    fun `values and keys are in no line of the log`() {
        ServiceInspector.enableLogging(true)
        val properties = mapOf("name" to "canary-value", "nested" to mapOf("list" to listOf("canary-value")))
        ServiceInspector("canary-key", application, ServiceInspectorEnv.Dev).trackSchemaFromEvent("Viewed", properties)
        assertTrue(lines.toString(), "Viewed: {name: string, nested: {list: list<string>}}" in lines)
        assertFalse(ShadowLog.getLogs().any { "canary" in it.msg })
    }

    @Test
    fun `logging follows the environment until it is set`() {
        assertFalse(ServiceInspector.isLogging())
        for (env in ServiceInspectorEnv.entries) {
            inspector(env)
            assertEquals(env == ServiceInspectorEnv.Dev, ServiceInspector.isLogging())
        }
        ServiceInspector.enableLogging(false)
        ShadowLog.clear()
        inspector(ServiceInspectorEnv.Dev).trackSchema("Viewed", null)
        assertFalse(ServiceInspector.isLogging())
        assertFalse(lines.any { it.startsWith("Viewed") })
        ServiceInspector.enableLogging(true)
        assertTrue(ServiceInspector.isLogging())
    }

    @Test
    fun `a setter wins over the environment, whichever comes first`() {
        assertEquals(30 to 30, ServiceInspector.getBatchSize() to ServiceInspector.getBatchFlushSeconds())
        inspector(ServiceInspectorEnv.Dev)
        assertEquals(1 to 0, ServiceInspector.getBatchSize() to ServiceInspector.getBatchFlushSeconds())
        ServiceInspector.setBatchSize(7)
        ServiceInspector.setBatchFlushSeconds(8)
        for (env in ServiceInspectorEnv.entries) {
            inspector(env)
            assertEquals(7 to 8, ServiceInspector.getBatchSize() to ServiceInspector.getBatchFlushSeconds())
        }
    }

    @Test
    fun `what can't be set is taken as the nearest that can, which the log says`() {
        ServiceInspector.setBatchSize(0)
        ServiceInspector.setBatchFlushSeconds(Int.MAX_VALUE)
        assertEquals(1 to 86_400, ServiceInspector.getBatchSize() to ServiceInspector.getBatchFlushSeconds())
        assertEquals(2, lines.size)
    }

    @Test
    fun `the dev artifact in an app that is not debuggable warns loudly, and prod does not`() {
        application.applicationInfo.flags = application.applicationInfo.flags and ApplicationInfo.FLAG_DEBUGGABLE.inv()
        inspector()
        inspector()
        assertEquals(if (Variant.IS_DEV) 1 else 0, lines.count { it.startsWith("THIS APP IS NOT DEBUGGABLE") })
    }

    @Test
    fun `the dev artifact in a debuggable app does not warn`() {
        application.applicationInfo.flags = application.applicationInfo.flags or ApplicationInfo.FLAG_DEBUGGABLE
        inspector()
        assertEquals(emptyList<String>(), lines)
    }
}
