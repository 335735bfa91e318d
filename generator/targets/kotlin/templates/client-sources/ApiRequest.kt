import io.ktor.http.ContentType
import io.ktor.http.HttpMethod
import io.ktor.http.Parameters
import io.ktor.http.content.ByteArrayContent
import io.ktor.http.content.OutgoingContent
import io.ktor.http.content.TextContent
import io.ktor.http.encodeURLPathPart
import io.ktor.http.formUrlEncode
import kotlinx.serialization.json.Json

/** A request while it is put together. What is null is left out. */
internal class ApiRequest(
    val method: HttpMethod,
    template: String,
) {
    var path: String = template
        private set
    val query: MutableList<Pair<String, String>> = mutableListOf()
    val headers: MutableList<Pair<String, String>> = mutableListOf()
    val cookies: MutableList<Pair<String, String>> = mutableListOf()

    /** The names of the security schemes that the operation may be called with. */
    val schemes: MutableList<String> = mutableListOf()
    var body: OutgoingContent? = null
        private set

    fun path(
        name: String,
        value: Any,
    ) {
        path = path.replace("{$name}", textOf(value).encodeURLPathPart())
    }

    /** A list is written as one parameter for each of its items. */
    fun query(
        name: String,
        value: Any?,
    ) {
        when (value) {
            null -> Unit
            is List<*> -> value.mapTo(query) { name to it.toString() }
            else -> query += name to value.toString()
        }
    }

    fun header(
        name: String,
        value: Any?,
    ) {
        if (value != null) headers += name to textOf(value)
    }

    fun cookie(
        name: String,
        value: Any?,
    ) {
        if (value != null) cookies += name to textOf(value)
    }

    fun authorize(scheme: String) {
        schemes += scheme
    }

    inline fun <reified T : Any> json(
        media: String,
        value: T?,
    ) {
        if (value != null) text(media, Json.encodeToString(value))
    }

    fun form(
        media: String,
        fields: Map<String, String>?,
    ) {
        val parameters = Parameters.build { fields?.forEach { (name, value) -> append(name, value) } }
        text(media, parameters.formUrlEncode())
    }

    fun text(
        media: String,
        text: String?,
    ) {
        if (text != null) body = TextContent(text, ContentType.parse(media))
    }

    fun bytes(
        media: String,
        bytes: ByteArray?,
    ) {
        if (bytes != null) body = ByteArrayContent(bytes, ContentType.parse(media))
    }

    private fun textOf(value: Any): String = if (value is List<*>) value.joinToString(",") else value.toString()
}
