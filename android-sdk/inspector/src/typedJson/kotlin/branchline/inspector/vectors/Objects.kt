package branchline.inspector.vectors

import com.google.gson.JsonArray
import com.google.gson.JsonObject
import net.bytebuddy.ByteBuddy
import net.bytebuddy.description.modifier.ModifierContributor.ForField
import net.bytebuddy.description.modifier.Ownership
import net.bytebuddy.description.modifier.Visibility
import net.bytebuddy.dynamic.DynamicType

/** Objects of classes that have just the fields that are asked for. */
internal object Objects {
    /** [fill] is given the new object and a function that sets its fields to the values that their typed JSON stands for. */
    fun make(
        json: JsonObject,
        fill: (Any, ((JsonObject) -> Any?) -> Unit) -> Unit,
    ): Any {
        val parent = classWith(Any::class.java, json, "inherits")
        val made = classWith(parent, json, "fields", "private", "static").getDeclaredConstructor().newInstance()
        fill(made) { valueOf -> set(made, made.javaClass, json, valueOf) }
        return made
    }

    private fun classWith(
        parent: Class<*>,
        json: JsonObject,
        vararg groups: String,
    ): Class<*> {
        val plain: DynamicType.Builder<*> = ByteBuddy().subclass(parent)
        val whole =
            groups.fold(plain) { start, group ->
                pairs(json, group).fold(start) { builder, (name) -> builder.defineField(name, Any::class.java, *modifiers(group)) }
            }
        return whole.make().load(parent.classLoader ?: javaClass.classLoader).loaded
    }

    private fun modifiers(group: String): Array<ForField> =
        when (group) {
            "private" -> arrayOf(Visibility.PRIVATE)
            "static" -> arrayOf(Visibility.PUBLIC, Ownership.STATIC)
            else -> arrayOf(Visibility.PUBLIC)
        }

    private fun set(
        made: Any,
        type: Class<*>,
        json: JsonObject,
        valueOf: (JsonObject) -> Any?,
    ) {
        for (group in listOf("fields", "private", "static", "inherits")) {
            val holder = if (group == "inherits") type.superclass else type
            for ((name, value) in pairs(json, group)) {
                val field = holder.getDeclaredField(name)
                field.isAccessible = true
                field.set(made, valueOf(value))
            }
        }
    }

    private fun pairs(
        json: JsonObject,
        group: String,
    ): List<Pair<String, JsonObject>> =
        (json.getAsJsonArray(group) ?: JsonArray()).map { it.asJsonArray.run { get(0).asString to get(1).asJsonObject } }
}
