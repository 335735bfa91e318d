package branchline.inspector.wire;

import app.service.inspector.ServiceEventSchemaType;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;

/** Types as Java code makes them, where nothing keeps nulls out. */
final class JavaTypes {
    private JavaTypes() {}

    static ServiceEventSchemaType listWithNull() {
        Set<ServiceEventSchemaType> subtypes = new HashSet<>();
        subtypes.add(null);
        subtypes.add(new ServiceEventSchemaType.ServiceInt());
        return new ServiceEventSchemaType.ServiceList(subtypes);
    }

    static ServiceEventSchemaType objectWithNulls() {
        Map<String, ServiceEventSchemaType> children = new HashMap<>();
        children.put(null, new ServiceEventSchemaType.ServiceInt());
        children.put("nothing", null);
        children.put("name", new ServiceEventSchemaType.ServiceString());
        return new ServiceEventSchemaType.ServiceObject(children);
    }
}
