package com.example.shop;

/** Somebody who has bought something. */
final class Customer extends Person {
    final long points = Canary.total(5);
    final Boolean isMember = true;
    final Object lastOrder = null;
}
