package branchline.inspector.visual.support

import app.service.inspector.ServiceEventSchemaType

/** A schema that cannot be read. */
internal class FaultyMap : AbstractMap<String, ServiceEventSchemaType>() {
    override val entries: Set<Map.Entry<String, ServiceEventSchemaType>>
        get() = throw IllegalStateException("FaultyMap was read")
}
