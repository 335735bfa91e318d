package com.example.shop;

/** Somebody whom the shop knows. */
class Person {
    static final String NOBODY = Canary.text("nobody");

    final String name = Canary.text("name");
    final String street = Canary.text("street");
    final transient String password = Canary.text("password");
}
