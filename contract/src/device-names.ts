/** The types of devices (A2.3-10, A3-14). */
export const DEVICE_TYPES = [
  'device_pc_windows',
  'device_pc_osx',
  'device_pc_linux',
  'device_pc_other',
  'device_ios_phone',
  'device_android_phone',
  'device_tv',
] as const
export type DeviceType = (typeof DEVICE_TYPES)[number]

/** Returns the kind of a device. All computers have the same kind, whatever their operating system. */
export function deviceKind(type: DeviceType): 'computer' | 'phone' | 'television' {
  if (type === 'device_tv') return 'television'
  return type === 'device_ios_phone' || type === 'device_android_phone' ? 'phone' : 'computer'
}

/**
 * Returns the icon of a device (A2.3-10): a laptop for Apple's computers, a phone for phones, and a television for
 * everything else, including computers with another system.
 */
export function deviceLook(type: string): 'laptop' | 'phone' | 'television' {
  if (type === 'device_pc_osx') return 'laptop'
  return type === 'device_ios_phone' || type === 'device_android_phone' ? 'phone' : 'television'
}

/**
 * Operating systems by patterns in `User-Agent`. More specific patterns come first, because Android's `User-Agent`
 * contains `Linux` too.
 */
const SYSTEMS: readonly [RegExp, string, DeviceType][] = [
  // The `User-Agent` of Fire TV names only the model, such as AFTMM.
  [
    /\b(?:smart-?tv|hbbtv|appletv|googletv|tizen|web0s|bravia|crkey)|; aft[a-z\d]+(?= build\b|\))/i,
    'TV',
    'device_tv',
  ],
  [/\b(?:iphone|ipod|ipad)\b/i, 'iOS', 'device_ios_phone'],
  [/\bandroid\b/i, 'Android', 'device_android_phone'],
  [/\bwindows\b/i, 'Windows', 'device_pc_windows'],
  [/\b(?:mac os x|macintosh)\b/i, 'macOS', 'device_pc_osx'],
  [/\b(?:linux|cros)\b/i, 'Linux', 'device_pc_linux'],
]

/**
 * Browsers by their tokens in `User-Agent`. More specific tokens come first: most browsers also name `Chrome` in
 * their `User-Agent`, and Chrome also names `Safari`.
 */
const BROWSERS: readonly [RegExp, string][] = [
  [/\b(?:Edg|EdgA|EdgiOS)\/(\d+)/, 'Edge'],
  [/\b(?:OPR|Opera)\/(\d+)/, 'Opera'],
  [/\bSamsungBrowser\/(\d+)/, 'Samsung Internet'],
  [/\b(?:Firefox|FxiOS)\/(\d+)/, 'Firefox'],
  [/\b(?:HeadlessChrome|Chrome|CriOS|Chromium)\/(\d+)/, 'Chrome'],
  [/\bVersion\/(\d+)[\d.]* (?:Mobile\/\w+ )?Safari\//, 'Safari'],
]

/**
 * Describes a device by its `User-Agent`: its type by the operating system (A3-14), its name by the browser, its
 * version and the operating system (A3-15). An unknown device has an empty name.
 *
 * @example
 * describeDevice('Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0')
 * // { name: 'Firefox 140, Linux', type: 'device_pc_linux' }
 */
export function describeDevice(userAgent: string): { name: string; type: DeviceType } {
  const [, system, type] = SYSTEMS.find(([pattern]) => pattern.test(userAgent)) ?? []
  const found = BROWSERS.flatMap(([pattern, name]) => {
    const version = pattern.exec(userAgent)?.[1]
    return version === undefined ? [] : [`${name} ${version}`]
  })
  return {
    name: [found[0], system].filter((part) => part !== undefined).join(', '),
    type: type ?? 'device_pc_other',
  }
}
