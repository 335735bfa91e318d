package com.example.shop

import java.math.BigDecimal
import java.math.BigInteger
import java.net.URI
import java.util.Date
import java.util.UUID

/**
 * The values of the shop. No two are alike, and each has a mark that nothing else has, so that one that leaves the device is found:
 * `goldfinch-canary` in a text, the digits 9081726 in a number.
 */
object Canary {
    private const val MARK = 9_081_726

    /** @param what tells this text from the others */
    @JvmStatic
    fun text(what: String): String = "goldfinch-canary-$what"

    /** @param which from 0 to 99 */
    @JvmStatic
    fun count(which: Int): Int = MARK * 100 + which

    @JvmStatic
    fun total(which: Int): Long = count(which) * 1_000_000_000L

    @JvmStatic
    fun amount(which: Int): Double = count(which) + 0.25

    @JvmStatic
    fun share(): Float = MARK.toFloat()

    @JvmStatic
    fun decimal(which: Int): BigDecimal = BigDecimal("${count(which)}.49")

    @JvmStatic
    fun bigInteger(which: Int): BigInteger = BigInteger("${count(which)}00000000000000000000")

    @JvmStatic
    fun uuid(): UUID = UUID.fromString("90817260-9081-4726-9081-726000009081")

    /** 9081726000000 milliseconds after 1970, on 15 October 2257. */
    @JvmStatic
    fun date(): Date = Date(MARK * 1_000_000L)

    @JvmStatic
    fun uri(what: String): URI = URI("https://shop.example.com/${text(what)}")
}
