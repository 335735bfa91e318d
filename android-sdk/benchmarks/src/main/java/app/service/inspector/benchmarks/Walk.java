package app.service.inspector.benchmarks;

import java.lang.reflect.Field;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import org.json.JSONObject;

/** Looks once at each name and value of some properties, and asks the value's class; makes nothing of it. */
final class Walk {
    private static final Field[] FIELDS = Inputs.Order.class.getDeclaredFields();

    private Walk() {}

    /** How many of the values are texts. */
    static int through(Object properties) throws ReflectiveOperationException {
        int texts = 0;
        if (properties instanceof Map<?, ?> map) {
            for (Map.Entry<?, ?> entry : map.entrySet()) texts += look(entry.getKey(), entry.getValue());
        } else if (properties instanceof List<?> list) {
            for (Object element : list) texts += look("", element);
        } else if (properties instanceof JSONObject json) {
            for (Iterator<String> names = json.keys(); names.hasNext(); ) {
                String name = names.next();
                texts += look(name, json.opt(name));
            }
        } else if (properties instanceof Inputs.Order) {
            for (Field field : FIELDS) texts += look(field.getName(), field.get(properties));
        }
        return texts;
    }

    private static int look(Object name, Object value) throws ReflectiveOperationException {
        if (name == null || value == null) return 0;
        return value.getClass() == String.class ? 1 : through(value);
    }
}
