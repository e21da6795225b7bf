import type { ScreenState } from '@ondine/contract/casting'

/** The state of a screen that plays a film, for tests. */
export const REPORTED: ScreenState = {
  content: { kind: 'asset', id: 1 },
  streamType: 'VOD_MOVIE',
  title: 'La Houle',
  subtitle: '',
  image: '',
  playback: 'playing',
  position: 10,
  duration: 60,
  canMove: true,
  canStartOver: false,
  isLive: false,
  nextTitle: '',
  audio: [],
  subtitles: [],
  chosenAudio: '',
  chosenSubtitles: 'non',
  volumePercent: 80,
  at: Date.UTC(2026, 0, 15, 12),
}
