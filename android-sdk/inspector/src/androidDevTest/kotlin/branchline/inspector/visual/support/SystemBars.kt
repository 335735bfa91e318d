package branchline.inspector.visual.support

/** Gives the default display a status bar and a navigation bar with three buttons; Robolectric can, but shows it to itself only. */
internal fun showSystemBars() {
    val type = Class.forName("org.robolectric.shadows.SystemUi")
    val display = type.getMethod("systemUiForDefaultDisplay").apply { isAccessible = true }.invoke(null)
    for ((bar, behavior) in listOf("StatusBar" to "STANDARD_STATUS_BAR", "NavigationBar" to "THREE_BUTTON_NAVIGATION")) {
        val setter = type.methods.single { it.name == "set${bar}Behavior" }.apply { isAccessible = true }
        setter.invoke(display, type.getField(behavior).apply { isAccessible = true }.get(null))
    }
}
