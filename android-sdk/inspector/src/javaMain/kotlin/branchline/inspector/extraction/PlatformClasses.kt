package branchline.inspector.extraction

/** The classes of Java and Android, whose fields are nobody's properties, and are closed on newer versions. */
internal object PlatformClasses {
    private val packages = arrayOf("java.", "javax.", "jdk.", "sun.", "com.sun.", "android.", "com.android.", "dalvik.", "libcore.")

    fun hold(type: Class<*>): Boolean = packages.any { type.name.startsWith(it) }
}
