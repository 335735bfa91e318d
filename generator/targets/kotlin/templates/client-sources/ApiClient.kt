import io.ktor.client.HttpClient
import io.ktor.client.plugins.expectSuccess
import io.ktor.client.request.cookie
import io.ktor.client.request.header
import io.ktor.client.request.parameter
import io.ktor.client.request.request
import io.ktor.client.request.setBody
import io.ktor.client.statement.HttpResponse
import io.ktor.client.statement.bodyAsBytes
import io.ktor.client.statement.bodyAsText
import io.ktor.http.isSuccess
import kotlinx.serialization.json.Json

/**
 * A server, and how it is called.
 *
 * @param baseUrl the address that the contract's paths are added to
 * @param http brings the engine, and with it timeouts and proxies; it is yours to close
 * @param credentials shown where an operation asks for them
 */
public class ApiClient(
    baseUrl: String,
    private val http: HttpClient,
    private val credentials: Credentials = Credentials(),
) {
    private val base = baseUrl.trimEnd('/')

    /** @throws ApiException where the answer is no success. */
    internal suspend fun send(request: ApiRequest): HttpResponse {
        val response =
            http.request(base + request.path) {
                method = request.method
                expectSuccess = false
                request.query.forEach { (name, value) -> parameter(name, value) }
                request.headers.forEach { (name, value) -> header(name, value) }
                request.cookies.forEach { (name, value) -> cookie(name, value) }
                request.schemes.forEach { credentials.show(it, this) }
                request.body?.let { setBody(it) }
            }
        if (!response.status.isSuccess()) throw ApiException(response.status.value, response.bodyAsText())
        return response
    }
}

/** Fields that the contract does not know are left out, so that a newer server can be read. */
internal val lenientJson: Json = Json { ignoreUnknownKeys = true }

internal suspend inline fun <reified T> HttpResponse.json(): T = lenientJson.decodeFromString(bodyAsText())

internal suspend fun HttpResponse.text(): String = bodyAsText()

internal suspend fun HttpResponse.bytes(): ByteArray = bodyAsBytes()
