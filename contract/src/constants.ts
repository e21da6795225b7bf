/** Longest address in a configuration, in characters. */
export const ADDRESS_MAX = 2000

/** The scheme of links that open the native app (V2.2-11). */
export const APP_SCHEME = 'ondine:'

/** Longest `consent_version`, in characters. It consists of the URL and the version of the consent text. */
export const CONSENT_VERSION_MAX = ADDRESS_MAX + 100

/** Player (V9-01 to V9-03, V4-28 to V4-45). */
export const PLAYER = {
  /** Step of the skip and seek keys and buttons, in seconds. */
  skipSeconds: 10,
  quickSeekAnimationMs: 150,
  /** Volume step and start value, in percent. */
  volumeStep: 10,
  defaultVolume: 100,
  progressPollMs: 200,
  /**
   * Playback resumes at a saved position only if the position is more than this many seconds from the beginning
   * and from the end.
   */
  startSeekThresholdSeconds: 30,
  /**
   * For titles shorter than this, in seconds, `startSeekThresholdSeconds` is replaced by a share of the duration
   * (spec 44).
   */
  shortSeconds: 600,
  shortStartThresholdShare: 0.05,
  backToLiveThresholdSeconds: 2,
  timeshiftGapToleranceSeconds: 2,
  /**
   * When the viewer moves the slider of a live channel to this percentage or beyond, the slider snaps to 100, the
   * live edge.
   */
  liveSnapPercent: 98,
  sourceDefinedDelayMs: 1000,
  /** Vertical movement of the mouse wheel that opens or closes the suggestions, in pixels (spec 22). */
  wheelThreshold: 20,
  /** Swipes are recognised only above this window width, in pixels. */
  swipeMinWidth: 600,
  chapterDragThreshold: 5,
  /** Initial estimate of the available bandwidth, in bits per second. */
  initialBandwidth: 3_000_000,
  /** Durations above this, in milliseconds, are shown with hours. */
  hourlyDisplayMs: 3_600_000,
  controlsHideMs: 1600,
  hoverHideMs: 300,
  defaultAudio: 'eng',
  defaultSubtitle: 'non',
  downloadAudio: 'fra',
  downloadSubtitle: 'non',
} as const

/** Programme guide (V9-04 to V9-06). */
export const GUIDE = {
  windowHours: 24,
  pastDays: 3,
  futureDays: 7,
  windowDaysWithoutTimeline: 7,
  stepMinutes: 30,
  weekStepDays: 7,
  /**
   * When the afternoon and the evening of the guide begin: hours and minutes as one number, 1200 for 12:00.
   */
  afternoonFrom: 1200,
  eveningFrom: 2000,
} as const

/** Layout and motion (V9-07 to V9-14). */
export const LAYOUT = {
  narrow: 820,
  mobile: 768,
  dropdownColumnSize: 4,
  dropdownWideFrom: 1101,
  dropdownColumns: { narrow: 3, wide: 4 },
  showMore: [800, 900, 1000, 1050, 1100, 1150, 1200, 1250],
  profileMenuMaxHeight: 400,
  profileImageSize: 150,
  tabBarEntries: 5,
  offlineToasterHideMs: 6000,
  liveRefreshMs: 1000,
  tabPopMs: 100,
  sliderMs: 600,
  hoverCloseMs: 300,
  sliderEventsFrom: 1024,
  suggestions: { minSlides: 2, maxSlides: 8, fromWidth: 320, toWidth: 2100 },
  progressBarMs: 5000,
  progressThrottleMs: 200,
  toggleLockMs: 300,
  longPressMs: 500,
  itemsPerRow: 3,
  designMode: { cover: 8, other: 7 },
  fetchDelayMs: 200,
  prefetchIdleMs: 2000,
  titleSizes: { hero: 52, fullscreen: 52, rail: 40, poster: 20, posterDetail: 20, cover: 20, totem: 20 },
  titleSizeMin: 12,
  titleSizeMax: 200,
  imageHeights: [240, 360, 480, 720, 1080],
} as const

/** Texts and lists (V9, V2.4-25). */
export const TEXTS = {
  titleMax: 70,
  descriptionMax: 150,
  searchMax: 40,
  searchCount: 50,
  pageSize: 20,
  reviewsLimit: 5,
  metadataShown: 6,
} as const

/** Scores that viewers give (V7-17). */
export const SCORES = { max: 5 } as const

/**
 * Bounds of Continue watching: a title is in the list if it was begun and is not nearly finished (V4-49, spec 20). In
 * percent, both included.
 */
export const CONTINUE_WATCHING = { min: 1, max: 95 } as const

/** Accounts (A9). */
export const ACCOUNTS = {
  tokenRefreshThresholdSeconds: 1800,
  parentalCodeDigits: 4,
  moralityLevelMax: 6,
  moralityLevelDefault: 0,
  moralityLevelFormDefault: 6,
  billingProviderId: 5,
  deviceCookieDays: 365,
  stateCookieDays: 30,
  orderPollMs: 3000,
  paymentWindowPollMs: 1000,
  libraryPollMs: 2000,
  libraryPollTries: 5,
  deviceRemovalLogoutMs: 650,
  downloadMinWidth: 768,
} as const

/** Money (A9-05). Amounts are integers in cents. */
export const MONEY = { currency: 'EUR', centsPerUnit: 100 } as const

/**
 * Ages of the morality levels 1 to 6: a level contains the titles that are rated up to this age, and above the age of
 * the level before. Level 0 means all audiences (spec 27). The ages that pages show are in `accounts.levelAges`.
 */
export const LEVEL_AGES = [7, 10, 12, 14, 16, 18] as const

/** Modals (A2.3-02). */
export const MODAL = { enterMs: 1000, leaveMs: 900 } as const
