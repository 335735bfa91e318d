package app.service.inspector;

import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertNotNull;
import static org.junit.Assert.assertTrue;

import android.app.Application;
import app.service.inspector.ServiceEventSchemaType.ServiceInt;
import app.service.inspector.ServiceEventSchemaType.ServiceList;
import app.service.inspector.ServiceEventSchemaType.ServiceNull;
import app.service.inspector.ServiceEventSchemaType.ServiceObject;
import app.service.inspector.ServiceEventSchemaType.ServiceString;
import branchline.inspector.StaticSettings;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import org.json.JSONException;
import org.json.JSONObject;
import org.junit.After;
import org.junit.Test;
import org.junit.runner.RunWith;
import org.robolectric.RobolectricTestRunner;
import org.robolectric.RuntimeEnvironment;

/** The library as a Java app uses it. */
@RunWith(RobolectricTestRunner.class)
public class JavaUsageTest {
    private final Application application = RuntimeEnvironment.getApplication();
    private final ServiceInspector inspector = new ServiceInspector("key", application, ServiceInspectorEnv.Prod);

    @After
    public void reset() {
        StaticSettings.INSTANCE.reset();
    }

    @Test
    public void everyOperationIsThere() throws JSONException {
        Map<String, Object> properties = new HashMap<>();
        properties.put("id", 1234);
        properties.put("name", "John");
        Map<String, ServiceEventSchemaType> expected = new HashMap<>();
        expected.put("id", new ServiceInt());
        expected.put("name", new ServiceString());
        assertEquals(expected, inspector.trackSchemaFromEvent("Signed in", properties));
        assertEquals(expected, inspector.trackSchemaFromEvent("Signed in", new JSONObject(properties)));
        assertEquals(expected, inspector.extractSchema(properties));
        inspector.trackSchema("Signed in", expected);
        inspector.setOptOut(true);
        assertTrue(inspector.isOptedOut());
        ServiceInspector.enableLogging(true);
        assertTrue(ServiceInspector.isLogging());
        ServiceInspector.setBatchSize(15);
        assertEquals(15, ServiceInspector.getBatchSize());
        ServiceInspector.setBatchFlushSeconds(10);
        assertEquals(10, ServiceInspector.getBatchFlushSeconds());
        ServiceInspector.setEndpoint("https://inspector.example.com");
    }

    @Test
    public void anExtractedSchemaMayBeChangedBeforeItIsTracked() {
        Map<String, Object> properties = new HashMap<>();
        properties.put("password", "x");
        Map<String, ServiceEventSchemaType> schema = inspector.extractSchema(properties);
        schema.remove("password");
        schema.put("tags", new ServiceList(new HashSet<>(Arrays.asList(new ServiceInt(), new ServiceNull()))));
        schema.put("user", new ServiceObject(new HashMap<>(schema)));
        inspector.trackSchema("Signed in", schema);
    }

    @Test
    public void nullThrowsNowhere() {
        assertNotNull(inspector.trackSchemaFromEvent(null, (Map<String, ?>) null));
        assertNotNull(inspector.trackSchemaFromEvent(null, (JSONObject) null));
        assertNotNull(inspector.extractSchema(null));
        inspector.trackSchema(null, null);
        Map<String, ServiceEventSchemaType> withNulls = new HashMap<>();
        withNulls.put(null, new ServiceInt());
        withNulls.put("a", null);
        inspector.trackSchema("Signed in", withNulls);
        inspector.showVisualInspector(null, null);
        inspector.hideVisualInspector(null);
        ServiceInspector.setEndpoint(null);
        assertNotNull(new ServiceInspector(null, null, null, null).extractSchema(null));
    }
}
