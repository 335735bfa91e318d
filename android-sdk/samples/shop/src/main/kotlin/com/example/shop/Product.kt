package com.example.shop

import java.math.BigDecimal
import java.util.Date

/** What the shop sells; its fields are properties. */
@Suppress("unused")
open class Product(
    val id: String,
    val price: BigDecimal,
    val sizes: IntArray,
    val brand: Brand,
    val stock: Map<String, Int>,
    val replacement: Product?,
) {
    /** Left out of schemas. */
    @Transient
    var note: String = Canary.text("note-of-product")
}

/** Who makes a product. */
class Brand(
    val name: String,
    val founded: Date,
)

/** A product that comes in several parts. */
@Suppress("unused")
class ProductSet(
    id: String,
    val parts: List<Brand?>,
) : Product(id, Canary.decimal(1), intArrayOf(Canary.count(1)), Brand(Canary.text("brand-of-set"), Canary.date()), emptyMap(), null)
