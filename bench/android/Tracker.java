import app.service.inspector.JvmApplication;
import app.service.inspector.ServiceInspector;
import app.service.inspector.ServiceInspectorEnv;
import java.io.BufferedReader;
import java.io.File;
import java.io.IOException;
import java.io.InputStreamReader;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.locks.LockSupport;

/**
 * An app on a plain JVM. Arguments: API key, endpoint, folder, batch size. It says how many nanoseconds the constructor took; then each
 * line that it is given, such as {@code 10 Checkout 1000}, has it track so many events of a name, with so many nanoseconds between them,
 * and say how many nanoseconds half and 99 % of the calls took at most. It ends when the input does.
 */
public final class Tracker {
    private Tracker() {}

    public static void main(String[] arguments) throws IOException {
        ServiceInspector.setEndpoint(arguments[1]);
        ServiceInspector.setBatchSize(Integer.parseInt(arguments[3]));
        JvmApplication application =
                new JvmApplication("com.example.shop", "Shop", "1.0.0", new File(arguments[2]));
        long begun = System.nanoTime();
        ServiceInspector inspector = new ServiceInspector(arguments[0], application, ServiceInspectorEnv.Prod);
        System.out.println(System.nanoTime() - begun);
        BufferedReader input = new BufferedReader(new InputStreamReader(System.in));
        for (String line = input.readLine(); line != null; line = input.readLine()) {
            String[] words = line.split(" ");
            System.out.println(track(inspector, Integer.parseInt(words[0]), words[1], Long.parseLong(words[2])));
        }
    }

    private static String track(ServiceInspector inspector, int count, String name, long pause) {
        long[] nanos = new long[count];
        for (int index = 0; index < count; index++) {
            Map<String, Object> properties = properties(index);
            long begun = System.nanoTime();
            inspector.trackSchemaFromEvent(name, properties);
            nanos[index] = System.nanoTime() - begun;
            if (pause > 0) LockSupport.parkNanos(pause);
        }
        Arrays.sort(nanos);
        return nanos[count / 2] + " " + nanos[count * 99 / 100];
    }

    private static Map<String, Object> properties(int index) {
        Map<String, Object> properties = new LinkedHashMap<>();
        properties.put("productId", "sku-4711");
        properties.put("quantity", index);
        properties.put("price", 19.95);
        properties.put("currency", "EUR");
        properties.put("inStock", true);
        properties.put("cartId", 4_711_000_000L);
        properties.put("coupon", "WINTER");
        properties.put("weight", 1.5f);
        properties.put("gift", false);
        properties.put("category", "books");
        return properties;
    }
}
