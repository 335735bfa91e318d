/**
 * The server refused a request, or failed.
 *
 * @property status the HTTP status
 * @property body what the server said, as it said it
 */
public class ApiException(
    public val status: Int,
    public val body: String,
) : Exception("The server answered $status: $body")
