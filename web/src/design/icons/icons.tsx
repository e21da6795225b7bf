import type { ReactNode } from 'react'
import styles from './icons.module.css'

/**
 * A decorative icon of 24 by 24. The adjacent text or the control's accessible name gives its meaning. The icon is
 * as large as `--icon-size`, or by default as the text.
 */
export function Icon({ children, filled = false }: { children: ReactNode; filled?: boolean }) {
  return (
    <svg
      className={filled ? styles.filled : styles.icon}
      viewBox="0 0 24 24"
      aria-hidden="true"
      focusable="false"
    >
      {children}
    </svg>
  )
}

export function PlayIcon() {
  return (
    <Icon filled>
      <path d="M7 4.6v14.8a.8.8 0 0 0 1.2.7l12-7.4a.8.8 0 0 0 0-1.4l-12-7.4a.8.8 0 0 0-1.2.7Z" />
    </Icon>
  )
}
export function PauseIcon() {
  return (
    <Icon filled>
      <rect x="5.6" y="4" width="4.2" height="16" rx="1.2" />
      <rect x="14.2" y="4" width="4.2" height="16" rx="1.2" />
    </Icon>
  )
}
export function InfoIcon() {
  return (
    <Icon>
      <circle cx="12" cy="12" r="9" />
      <path d="M12 11v5.5M12 7.6v.1" />
    </Icon>
  )
}
export function ChevronLeftIcon() {
  return (
    <Icon>
      <path d="m14.5 5.5-6.5 6.5 6.5 6.5" />
    </Icon>
  )
}
export function ChevronRightIcon() {
  return (
    <Icon>
      <path d="M9.5 5.5 16 12l-6.5 6.5" />
    </Icon>
  )
}
export function ChevronDownIcon() {
  return (
    <Icon>
      <path d="m5.5 9 6.5 6.5L18.5 9" />
    </Icon>
  )
}
export function LockIcon() {
  return (
    <Icon>
      <rect x="5" y="10.5" width="14" height="9.5" rx="2.2" />
      <path d="M8 10.5V8a4 4 0 0 1 8 0v2.5" />
    </Icon>
  )
}
export function PersonIcon() {
  return (
    <Icon>
      <circle cx="12" cy="8.2" r="3.9" />
      <path d="M4.6 20c.9-3.9 3.8-5.9 7.4-5.9s6.5 2 7.4 5.9" />
    </Icon>
  )
}
export function HomeIcon() {
  return (
    <Icon>
      <path d="M3.5 11.2 12 4l8.5 7.2M5.8 9.5V20h4.4v-5.6h3.6V20h4.4V9.5" />
    </Icon>
  )
}
export function FilmIcon() {
  return (
    <Icon>
      <rect x="3.5" y="4.5" width="17" height="15" rx="2.4" />
      <path d="M8 4.5v15M16 4.5v15M3.5 9.5H8M3.5 14.5H8M16 9.5h4.5M16 14.5h4.5" />
    </Icon>
  )
}
export function SeriesIcon() {
  return (
    <Icon>
      <rect x="3.5" y="8" width="17" height="11.5" rx="2.2" />
      <path d="M6 5.2h12" />
    </Icon>
  )
}
export function LiveIcon() {
  return (
    <Icon>
      <rect x="3" y="5" width="18" height="12" rx="2.2" />
      <path d="M8.5 20.5h7" />
    </Icon>
  )
}
export function GuideIcon() {
  return (
    <Icon>
      <rect x="3.5" y="5" width="17" height="14" rx="2.2" />
      <path d="M3.5 9.6h17M3.5 14.3h17M9 9.6v4.7M14.5 14.3V19" />
    </Icon>
  )
}
export function WarningIcon() {
  return (
    <Icon>
      <path d="M12 4 2.8 19.5h18.4zM12 10v4.2M12 16.9v.1" />
    </Icon>
  )
}
export function BlurredIcon() {
  return (
    <Icon>
      <path d="M4 4.5 20 20M10.4 6.2A9.6 9.6 0 0 1 12 6c4.2 0 7.4 2.5 9.2 6a12 12 0 0 1-2.6 3.400M6.6 7.600A11.6 11.6 0 0 0 2.8 12c1.8 3.5 5 6 9.2 6a9.4 9.4 0 0 0 4.6-1.200M9.9 10a3 3 0 0 0 4.2 4.2" />
    </Icon>
  )
}
export function CheckIcon() {
  return (
    <Icon>
      <path d="m5 12.5 4.5 4.5L19 7.5" />
    </Icon>
  )
}
export function CloseIcon() {
  return (
    <Icon>
      <path d="m6 6 12 12M18 6 6 18" />
    </Icon>
  )
}
export function HeartIcon() {
  return (
    <Icon>
      <path d="M12 20s-7.500-4.600-7.500-10.200A4.300 4.300 0 0 1 12 7.200a4.300 4.300 0 0 1 7.500 2.600C19.500 15.400 12 20 12 20Z" />
    </Icon>
  )
}
export function SearchIcon() {
  return (
    <Icon>
      <circle cx="10.8" cy="10.8" r="6.3" />
      <path d="m15.6 15.6 4.4 4.4" />
    </Icon>
  )
}
export function MenuIcon() {
  return (
    <Icon>
      <path d="M4 7h16M4 12h16M4 17h16" />
    </Icon>
  )
}
export function SettingsIcon() {
  return (
    <Icon>
      <path d="M4 7h9M17.5 7H20M4 17h2.5M11 17h9" />
      <circle cx="15.2" cy="7" r="2.2" />
      <circle cx="8.7" cy="17" r="2.2" />
    </Icon>
  )
}
export function LeaveIcon() {
  return (
    <Icon>
      <path d="M10 4.5H6.5a2 2 0 0 0-2 2v11a2 2 0 0 0 2 2H10M15.5 8l4 4-4 4M19 12h-9" />
    </Icon>
  )
}
export function OfflineIcon() {
  return (
    <Icon>
      <path d="M4 4.500 19.500 20M8.500 14.200a5 5 0 0 1 5.200-1.100M5.400 10.900a9.600 9.600 0 0 1 3.600-2.200M12.500 8a9.700 9.700 0 0 1 6.200 2.900M12 18.300v.1" />
    </Icon>
  )
}
/** Icon of a list of rows with pictures. */
export function RowsIcon() {
  return (
    <Icon>
      <rect x="3.5" y="5" width="6.5" height="5.5" rx="1.4" />
      <rect x="3.5" y="13.5" width="6.5" height="5.5" rx="1.4" />
      <path d="M13.5 6.5h7M13.5 9.3h4.5M13.5 15h7M13.5 17.8h4.5" />
    </Icon>
  )
}
