import { escapeAndroid, escapeMarkup } from './markup.ts'
import { iconPicture, namedPicture } from './pictures.ts'
import { FAILED, startPage, startScript } from './start-page.ts'
import type { TelevisionApp } from './television-app.ts'

/** Folder of an app's own files in a project. */
const MAIN = 'app/src/main'

/**
 * Returns the files of an Android Studio project for Android TV and Google TV, by path. It has one activity with a web
 * view. Trusted Web Activities need a browser that Android TV does not have.
 */
export async function androidProject(app: TelevisionApp): Promise<Map<string, string | Buffer>> {
  return new Map<string, string | Buffer>([
    ['settings.gradle.kts', SETTINGS],
    ['gradle.properties', 'android.useAndroidX=true\n'],
    ['app/build.gradle.kts', androidBuild(app)],
    [`${MAIN}/AndroidManifest.xml`, androidManifest()],
    [`${MAIN}/java/tv/ondine/shell/MainActivity.java`, ACTIVITY],
    [`${MAIN}/assets/index.html`, startPage(app)],
    [`${MAIN}/assets/start.js`, startScript(app)],
    [`${MAIN}/res/values/values.xml`, androidValues(app)],
    [`${MAIN}/res/drawable-xhdpi/banner.png`, await namedPicture(app, { width: 320, height: 180 })],
    [`${MAIN}/res/mipmap-xhdpi/icon.png`, await iconPicture(app, { width: 160, height: 160 })],
  ])
}

const SETTINGS = `pluginManagement { repositories { google(); mavenCentral() } }
dependencyResolutionManagement { repositories { google(); mavenCentral() } }
rootProject.name = "television"
include(":app")
`

function androidBuild({ id, version }: TelevisionApp): string {
  const [major = 0, minor = 0, patch = 0] = version.split('.').map(Number)
  return `plugins { id("com.android.application") version "8.13.0" }

android {
    namespace = "tv.ondine.shell"
    compileSdk = 36
    defaultConfig {
        applicationId = "${id}"
        minSdk = 26
        targetSdk = 35
        versionCode = ${major * 100_000 + minor * 1000 + patch}
        versionName = "${version}"
    }
}
`
}

/** Writes the manifest of the app with the entries for televisions (Android, "Create and run a TV app"). */
function androidManifest(): string {
  return `<?xml version="1.0" encoding="utf-8"?>
<manifest xmlns:android="http://schemas.android.com/apk/res/android">
  <uses-permission android:name="android.permission.INTERNET"/>
  <!-- Only with this permission, the web view tells pages whether there is a connection. -->
  <uses-permission android:name="android.permission.ACCESS_NETWORK_STATE"/>
  <uses-feature android:name="android.software.leanback" android:required="true"/>
  <uses-feature android:name="android.hardware.touchscreen" android:required="false"/>
  <!-- Back arrives as a key, so the page can close a dialog before the app ends. -->
  <application android:label="@string/name" android:icon="@mipmap/icon" android:banner="@drawable/banner" android:theme="@style/Whole" android:allowBackup="false" android:enableOnBackInvokedCallback="false">
    <activity android:name=".MainActivity" android:exported="true" android:screenOrientation="landscape" android:configChanges="keyboard|keyboardHidden|navigation|orientation|screenSize|screenLayout|uiMode">
      <intent-filter>
        <action android:name="android.intent.action.MAIN"/>
        <category android:name="android.intent.category.LEANBACK_LAUNCHER"/>
      </intent-filter>
    </activity>
  </application>
</manifest>
`
}

function androidValues({ name, address, background }: TelevisionApp): string {
  return `<?xml version="1.0" encoding="utf-8"?>
<resources>
  <string name="name">${escapeAndroid(name)}</string>
  <string name="address" translatable="false">${escapeMarkup(address.href)}</string>
  <color name="background">${background}</color>
  <style name="Whole" parent="android:Theme.Material.NoActionBar.Fullscreen">
    <item name="android:windowBackground">@color/background</item>
  </style>
</resources>
`
}

const ACTIVITY = `package tv.ondine.shell;

import android.annotation.SuppressLint;
import android.app.Activity;
import android.net.Uri;
import android.os.Bundle;
import android.view.KeyEvent;
import android.webkit.PermissionRequest;
import android.webkit.WebChromeClient;
import android.webkit.WebResourceError;
import android.webkit.WebResourceRequest;
import android.webkit.WebResourceResponse;
import android.webkit.WebSettings;
import android.webkit.WebView;
import android.webkit.WebViewClient;

/** Shows the service. */
public final class MainActivity extends Activity {
    private static final String BACK =
            "dispatchEvent(new KeyboardEvent('keydown', { key: 'GoBack', bubbles: true, cancelable: true }))";
    private static final String START = "file:///android_asset/index.html${FAILED}";

    private WebView page;
    private String host;

    @Override
    @SuppressLint("SetJavaScriptEnabled")
    protected void onCreate(Bundle state) {
        super.onCreate(state);
        String address = getString(R.string.address);
        host = Uri.parse(address).getHost();
        page = new WebView(this);
        page.setBackgroundColor(getColor(R.color.background));
        setContentView(page);
        WebSettings settings = page.getSettings();
        settings.setJavaScriptEnabled(true);
        settings.setDomStorageEnabled(true);
        settings.setMediaPlaybackRequiresUserGesture(false);
        // Lets the page set its width, so that the layout is the same on every density.
        settings.setUseWideViewPort(true);
        settings.setLoadWithOverviewMode(true);
        settings.setUserAgentString(settings.getUserAgentString() + " SmartTV");
        page.setWebViewClient(new WebViewClient() {
            @Override
            public boolean shouldOverrideUrlLoading(WebView view, WebResourceRequest request) {
                // A television has no browser for other sites.
                return !host.equals(request.getUrl().getHost());
            }

            @Override
            public void onReceivedError(WebView view, WebResourceRequest request, WebResourceError error) {
                // The web view's own error page would stay when the connection returns.
                if (request.isForMainFrame()) view.loadUrl(START);
            }

            @Override
            public void onReceivedHttpError(WebView view, WebResourceRequest request, WebResourceResponse response) {
                // A proxy answers in place of the service, for example during an update.
                boolean isFault = response.getStatusCode() == 502 || response.getStatusCode() == 503 || response.getStatusCode() == 504;
                if (isFault && request.isForMainFrame()) view.loadUrl(START);
            }
        });
        page.setWebChromeClient(new WebChromeClient() {
            @Override
            public void onPermissionRequest(PermissionRequest request) {
                // Widevine needs the device's id.
                String[] wanted = { PermissionRequest.RESOURCE_PROTECTED_MEDIA_ID };
                boolean isWanted = request.getResources().length == 1 && wanted[0].equals(request.getResources()[0]);
                if (isWanted && host.equals(request.getOrigin().getHost())) request.grant(wanted);
                else request.deny();
            }
        });
        if (state == null || page.restoreState(state) == null) page.loadUrl(address);
    }

    @Override
    public boolean dispatchKeyEvent(KeyEvent event) {
        if (event.getKeyCode() != KeyEvent.KEYCODE_BACK) return super.dispatchKeyEvent(event);
        if (event.getAction() == KeyEvent.ACTION_UP) {
            // The result is true if nothing on the page has handled the key.
            page.evaluateJavascript(BACK, unhandled -> { if ("true".equals(unhandled)) finish(); });
        }
        return true;
    }

    @Override
    protected void onSaveInstanceState(Bundle state) {
        super.onSaveInstanceState(state);
        page.saveState(state);
    }

    @Override
    protected void onPause() {
        page.onPause();
        super.onPause();
    }

    @Override
    protected void onResume() {
        super.onResume();
        page.onResume();
    }

    @Override
    protected void onDestroy() {
        page.destroy();
        super.onDestroy();
    }
}
`
