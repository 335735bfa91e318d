package branchline.inspector.visual.support

import android.app.Activity
import android.os.Bundle
import android.view.Gravity
import android.widget.Button
import android.widget.EditText
import android.widget.LinearLayout
import android.widget.TextView

/** A host with something to touch, to type in and to go back from. */
internal class ShopActivity : Activity() {
    lateinit var buy: Button
        private set
    lateinit var coupon: EditText
        private set
    var bought: Int = 0
        private set
    var backs: Int = 0
        private set

    override fun onCreate(state: Bundle?) {
        setTheme(if (isNight()) android.R.style.Theme_Material_NoActionBar else android.R.style.Theme_Material_Light_NoActionBar)
        super.onCreate(state)
        buy = Button(this).apply { text = "Buy" }
        buy.setOnClickListener { bought++ }
        coupon = EditText(this).apply { hint = "Coupon" }
        val page = LinearLayout(this).apply { orientation = LinearLayout.VERTICAL }
        val side = (24 * resources.displayMetrics.density).toInt()
        page.setPadding(side, 2 * side, side, side)
        page.addView(
            TextView(this).apply {
                text = "Corner Shop"
                textSize = 28f
            },
        )
        listOf("Green tea   4.90", "Oat biscuits   3.20", "Honey   7.50").forEach { line ->
            page.addView(
                TextView(this).apply {
                    text = line
                    textSize = 18f
                    setPadding(0, side / 2, 0, side / 2)
                    gravity = Gravity.START
                },
            )
        }
        page.addView(coupon)
        page.addView(buy)
        setContentView(page)
    }

    @Deprecated("What hosts of minSdk 21 override.")
    override fun onBackPressed() {
        backs++
    }

    private fun isNight() =
        branchline.inspector.visual.Palette
            .isNight(this)
}
