package branchline.inspector.extraction

import java.lang.ref.SoftReference
import java.lang.reflect.Field
import java.lang.reflect.Modifier
import java.util.WeakHashMap

/**
 * The fields that make up the objects of a class, its own and its superclasses'. Left out are static and transient ones, those that a
 * compiler made (synthetic, or with a `$` in the name), and those of classes that belong to the platform.
 */
internal object ClassFields {
    /** Guarded by itself. A field holds its class, so only a reference that gives way lets the class be unloaded. */
    private val known = WeakHashMap<Class<*>, SoftReference<List<Field>>>()

    fun find(type: Class<*>): List<Field> =
        synchronized(known) { known[type]?.get() } ?: collect(type).also { synchronized(known) { known[type] = SoftReference(it) } }

    private fun collect(type: Class<*>): List<Field> {
        val fields = LinkedHashMap<String, Field>()
        var declaring: Class<*>? = type
        while (declaring != null && !PlatformClasses.hold(declaring)) {
            for (field in declaring.declaredFields) if (isState(field) && field.name !in fields) fields[field.name] = field
            declaring = declaring.superclass
        }
        for (field in fields.values) open(field)
        return ArrayList(fields.values)
    }

    private fun isState(field: Field) =
        !Modifier.isStatic(field.modifiers) && !Modifier.isTransient(field.modifiers) && !field.isSynthetic && '$' !in field.name

    /** A field that the machine keeps closed throws when it is read, and is unknown then. */
    @Suppress("TooGenericExceptionCaught", "SwallowedException")
    private fun open(field: Field) {
        try {
            field.isAccessible = true
        } catch (closed: RuntimeException) {
            return
        }
    }
}
