@file:OptIn(ExperimentalAtomicApi::class)

package branchline.inspector.extraction

import app.service.inspector.ServiceEventSchemaType
import kotlin.concurrent.atomics.AtomicReference
import kotlin.concurrent.atomics.ExperimentalAtomicApi

/**
 * A schema for the app to keep and to change. What was derived is shared with the report of it, so it is copied as soon as the app asks
 * for something by which it could be changed.
 */
internal class OwnSchema(
    private val derived: Map<String, ServiceEventSchemaType>,
) : AbstractMutableMap<String, ServiceEventSchemaType>() {
    /** Null until it is copied. */
    private val copy = AtomicReference<MutableMap<String, ServiceEventSchemaType>?>(null)

    override val size: Int get() = current().size

    override val entries: MutableSet<MutableMap.MutableEntry<String, ServiceEventSchemaType>> get() = changeable().entries

    override fun containsKey(key: String): Boolean = current().containsKey(key)

    override fun get(key: String): ServiceEventSchemaType? = current()[key]

    override fun put(
        key: String,
        value: ServiceEventSchemaType,
    ): ServiceEventSchemaType? = changeable().put(key, value)

    private fun current(): Map<String, ServiceEventSchemaType> = copy.load() ?: derived

    private fun changeable(): MutableMap<String, ServiceEventSchemaType> {
        copy.load()?.let { return it }
        val made = LinkedHashMap<String, ServiceEventSchemaType>()
        derived.forEachType { name, type -> made[name] = type }
        copy.compareAndSet(null, made)
        return copy.load() ?: made
    }
}
