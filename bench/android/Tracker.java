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
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Consumer;

/**
 * An app on a plain JVM. Arguments: API key, endpoint, folder, batch size. It says how many nanoseconds the constructor took; then each
 * line that it is given, such as {@code 10 Checkout 1000}, has it track so many events of a name, with so many nanoseconds between them,
 * and say how many nanoseconds half and 99 % of the calls took at most. The name {@code WALK} stands for the least that anyone could do:
 * look at each name and value, and offer them to a thread that waits. It ends when the input does.
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
            Consumer<Map<String, Object>> call =
                    words[1].equals("WALK") ? walk() : properties -> inspector.trackSchemaFromEvent(words[1], properties);
            System.out.println(time(call, Integer.parseInt(words[0]), Long.parseLong(words[2])));
        }
    }

    private static String time(Consumer<Map<String, Object>> call, int count, long pause) {
        long[] nanos = new long[count];
        for (int index = 0; index < count; index++) {
            Map<String, Object> properties = properties(index);
            long begun = System.nanoTime();
            call.accept(properties);
            nanos[index] = System.nanoTime() - begun;
            if (pause > 0) LockSupport.parkNanos(pause);
        }
        Arrays.sort(nanos);
        return nanos[count / 2] + " " + nanos[count * 99 / 100];
    }

    private static Consumer<Map<String, Object>> walk() {
        ArrayBlockingQueue<Object> queue = new ArrayBlockingQueue<>(1_000);
        Thread thread = new Thread(() -> drain(queue));
        thread.setDaemon(true);
        thread.start();
        return properties -> {
            int sum = 0;
            for (Map.Entry<String, Object> entry : properties.entrySet()) {
                sum += entry.getKey().length() + entry.getValue().getClass().hashCode();
            }
            queue.offer(sum);
        };
    }

    private static void drain(BlockingQueue<Object> queue) {
        try {
            while (true) queue.take();
        } catch (InterruptedException end) {
            Thread.currentThread().interrupt();
        }
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
