package com.example.shop

import android.app.Application
import android.content.pm.ApplicationInfo
import android.content.pm.PackageInfo
import org.robolectric.Shadows.shadowOf

/** The application as its manifest would make it, which nothing compiles here. */
class ShopApplication : Application() {
    override fun getPackageName(): String = "com.example.shop"

    override fun onCreate() {
        super.onCreate()
        applicationInfo.dataDir = ShopSettings.folder.path
        applicationInfo.nonLocalizedLabel = "Shop"
        applicationInfo.flags = applicationInfo.flags or ApplicationInfo.FLAG_DEBUGGABLE
        val shop = PackageInfo()
        shop.packageName = packageName
        shop.versionName = "1.4.0"
        shop.applicationInfo = applicationInfo
        shadowOf(packageManager).installPackage(shop)
    }
}
