package app.service.inspector.benchmarks;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.json.JSONObject;

/** Properties of the sizes that are measured. */
public enum Inputs {
    MAP_OF_10 {
        @Override
        public Object make() {
            return tenProperties();
        }
    },
    JSON_OF_10 {
        @Override
        public Object make() {
            return new JSONObject(tenProperties());
        }
    },
    MAPS_OF_10 {
        @Override
        public Object make() {
            Map<String, Object> maps = new LinkedHashMap<>();
            for (int index = 0; index < 5; index++) maps.put("map" + index, tenProperties());
            return maps;
        }
    },
    LIST_OF_1000 {
        @Override
        public Object make() {
            List<Object> kinds = new ArrayList<>(tenProperties().values());
            List<Object> list = new ArrayList<>();
            for (int index = 0; index < 1_000; index++) list.add(kinds.get(index % kinds.size()));
            return Map.of("list", list);
        }
    },
    OBJECT_OF_10 {
        @Override
        public Object make() {
            return new Order();
        }
    };

    public abstract Object make();

    static Map<String, Object> tenProperties() {
        Map<String, Object> properties = new LinkedHashMap<>();
        properties.put("productId", "sku-4711");
        properties.put("quantity", 2);
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

    /** The same properties as fields. */
    static final class Order {
        final String productId = "sku-4711";
        final int quantity = 2;
        final double price = 19.95;
        final String currency = "EUR";
        final boolean inStock = true;
        final long cartId = 4_711_000_000L;
        final String coupon = "WINTER";
        final float weight = 1.5f;
        final boolean gift = false;
        final String category = "books";
    }
}
