import { PLAYER } from '@ondine/contract/constants'
import { Icon } from './icons.tsx'

/** The number of seconds inside the round arrow of a skip button. */
function SkipSeconds() {
  return (
    <text
      x="12"
      y="15.8"
      textAnchor="middle"
      fontSize="7.6"
      fontWeight="700"
      fill="currentColor"
      stroke="none"
    >
      {PLAYER.skipSeconds}
    </text>
  )
}

export function BackIcon() {
  return (
    <Icon>
      <path d="M4.2 13a7.8 7.8 0 1 0 3-6.1L4.6 9" />
      <path d="M4.4 4.6V9h4.4" />
      <SkipSeconds />
    </Icon>
  )
}
export function ForwardIcon() {
  return (
    <Icon>
      <path d="M19.8 13a7.8 7.8 0 1 1-3-6.1L19.4 9" />
      <path d="M19.6 4.6V9h-4.4" />
      <SkipSeconds />
    </Icon>
  )
}
export function CastIcon() {
  return (
    <Icon>
      <path d="M3 8V6.5A1.5 1.5 0 0 1 4.5 5h15A1.5 1.5 0 0 1 21 6.5v11a1.5 1.5 0 0 1-1.5 1.5H14" />
      <path d="M3 12a7 7 0 0 1 7 7M3 15.5a3.5 3.5 0 0 1 3.5 3.5" />
      <path d="M3 19h.01" />
    </Icon>
  )
}
export function ReplayIcon() {
  return (
    <Icon>
      <path d="M20 12a8 8 0 1 1-2.6-5.9L20 8.4M20 4v4.4h-4.4" />
    </Icon>
  )
}
/** `level` is 0 for muted, 1 for half and 2 for full volume. */
export function VolumeIcon({ level }: { level: 0 | 1 | 2 }) {
  return (
    <Icon>
      <path d="M3.4 9.6v4.8h3.4l4.6 3.9V5.7L6.8 9.6z" />
      {level === 0 && <path d="m15.4 9.4 5.2 5.2M20.6 9.4l-5.2 5.2" />}
      {level > 0 && <path d="M14.8 9.2a4 4 0 0 1 0 5.6" />}
      {level > 1 && <path d="M17.6 6.6a7.7 7.7 0 0 1 0 10.8" />}
    </Icon>
  )
}
export function NextIcon() {
  return (
    <Icon>
      <path d="M5 5.2v13.6L15.8 12zM19 5v14" />
    </Icon>
  )
}
export function CaptionsIcon() {
  return (
    <Icon>
      <rect x="2.8" y="5" width="18.4" height="14" rx="2.6" />
      <path d="M10.6 10.5a2.2 2.2 0 1 0 0 3M17 10.5a2.2 2.2 0 1 0 0 3" />
    </Icon>
  )
}
export function SettingsIcon() {
  return (
    <Icon>
      <path d="M3.4 7.4h9.4M17.8 7.4h2.8M3.4 16.6h2.8M11.2 16.6h9.4" />
      <circle cx="15.3" cy="7.4" r="2.5" />
      <circle cx="8.7" cy="16.6" r="2.5" />
    </Icon>
  )
}
export function PictureInPictureIcon() {
  return (
    <Icon>
      <rect x="2.8" y="4.8" width="18.4" height="14.4" rx="2.4" />
      <rect x="12.4" y="11.6" width="5.8" height="4.6" rx="0.8" fill="currentColor" />
    </Icon>
  )
}
export function FullscreenIcon({ active }: { active: boolean }) {
  return (
    <Icon>
      <path
        d={
          active
            ? 'M9 4v5H4M15 4v5h5M9 20v-5H4M15 20v-5h5'
            : 'M4 9V5.4C4 4.6 4.6 4 5.4 4H9M15 4h3.6c.8 0 1.4.6 1.4 1.4V9M20 15v3.6c0 .8-.6 1.4-1.4 1.4H15M9 20H5.4c-.8 0-1.4-.6-1.4-1.4V15'
        }
      />
    </Icon>
  )
}
export function AirPlayIcon() {
  return (
    <Icon>
      <path d="M7 17H5.4C4.1 17 3 15.9 3 14.6V6.4C3 5.1 4.1 4 5.4 4h13.2C19.9 4 21 5.1 21 6.4v8.2c0 1.3-1.1 2.4-2.4 2.4H17" />
      <path d="m12 14.5 5 5.5H7z" />
    </Icon>
  )
}
export function ChannelsIcon() {
  return (
    <Icon>
      <rect x="3" y="4" width="7.6" height="7" rx="1.6" />
      <rect x="13.4" y="4" width="7.6" height="7" rx="1.6" />
      <rect x="3" y="13.6" width="7.6" height="7" rx="1.6" />
      <rect x="13.4" y="13.6" width="7.6" height="7" rx="1.6" />
    </Icon>
  )
}
/** Icon of several posters, with one in front. */
export function SuggestionsIcon() {
  return (
    <Icon>
      <rect x="7.6" y="4.2" width="8.8" height="15.6" rx="1.8" />
      <path d="M3.8 7.4v9.2M20.2 7.4v9.2" />
    </Icon>
  )
}
