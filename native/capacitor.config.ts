import type { CapacitorConfig } from '@capacitor/cli'

/** Settings of the apps for iOS and Android (docs/native.md). */
const config: CapacitorConfig = {
  appId: process.env.ONDINE_APP_ID ?? 'org.ondine.app',
  appName: process.env.ONDINE_APP_NAME ?? 'Ondine',
  webDir: 'www',
}

export default config
