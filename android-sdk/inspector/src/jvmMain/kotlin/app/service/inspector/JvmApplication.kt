package app.service.inspector

import java.io.File

/**
 * The application on whose behalf schemas are reported from a plain JVM.
 *
 * @property id such as `com.example.shop`
 * @property name as people know it
 * @property version such as `1.4.0`
 * @property directory where unsent schemas are kept until they are sent; it is made when it is needed
 */
public class JvmApplication(
    public val id: String,
    public val name: String,
    public val version: String,
    public val directory: File,
)
