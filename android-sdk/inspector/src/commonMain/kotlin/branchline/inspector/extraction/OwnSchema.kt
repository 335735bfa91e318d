package branchline.inspector.extraction

import app.service.inspector.ServiceEventSchemaType
import kotlin.concurrent.Volatile

/**
 * A schema for the app to keep and to change. What was derived is shared with the report of it, so it is copied as soon as the app asks
 * for something by which it could be changed. Like other maps it is for one thread at a time, once it is changed.
 */
internal class OwnSchema(
    private val derived: Map<String, ServiceEventSchemaType>,
) : AbstractMutableMap<String, ServiceEventSchemaType>() {
    /** Null until it is copied. */
    @Volatile
    private var copy: MutableMap<String, ServiceEventSchemaType>? = null

    override val size: Int get() = (copy ?: derived).size

    override val entries: MutableSet<MutableMap.MutableEntry<String, ServiceEventSchemaType>> get() = changeable().entries

    override fun containsKey(key: String): Boolean = (copy ?: derived).containsKey(key)

    override fun get(key: String): ServiceEventSchemaType? = (copy ?: derived)[key]

    override fun put(
        key: String,
        value: ServiceEventSchemaType,
    ): ServiceEventSchemaType? = changeable().put(key, value)

    private fun changeable(): MutableMap<String, ServiceEventSchemaType> {
        copy?.let { return it }
        val made = LinkedHashMap<String, ServiceEventSchemaType>()
        derived.forEachType { name, type -> made[name] = type }
        copy = made
        return made
    }
}
