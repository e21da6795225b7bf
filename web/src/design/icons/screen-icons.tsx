import { Icon } from './icons.tsx'

// These icons are only in screens and panels that load when they are opened. A separate file keeps them out of
// home's first load.

export function DownloadIcon() {
  return (
    <Icon>
      <path d="M12 4v11m-4.5-4.5L12 15l4.5-4.5M5 19.5h14" />
    </Icon>
  )
}
export function LinkIcon() {
  return (
    <Icon>
      <path d="M10 13.500a4.2 4.2 0 0 0 6 .3l3-3a4.2 4.2 0 0 0-6-6l-1.4 1.400M14 10.500a4.2 4.2 0 0 0-6-.3l-3 3a4.2 4.2 0 0 0 6 6l1.4-1.4" />
    </Icon>
  )
}
export function MailIcon() {
  return (
    <Icon>
      <rect x="3" y="5" width="18" height="14" rx="2.5" />
      <path d="m4 7.5 8 6 8-6" />
    </Icon>
  )
}
export function LaptopIcon() {
  return (
    <Icon>
      <rect x="4.5" y="5" width="15" height="10.5" rx="1.5" />
      <path d="M2.5 19h19" />
    </Icon>
  )
}
export function PhoneIcon() {
  return (
    <Icon>
      <rect x="7" y="2.5" width="10" height="19" rx="2.5" />
      <path d="M11 18.500h2" />
    </Icon>
  )
}
export function BasketIcon() {
  return (
    <Icon>
      <path d="M4 9.500h16l-1.600 9.100a2 2 0 0 1-2 1.700H7.600a2 2 0 0 1-2-1.700Z" />
      <path d="m8.500 9.500 2.500-5.500M15.500 9.500 13 4M9.500 13.500v3M14.500 13.500v3" />
    </Icon>
  )
}
export function StarIcon() {
  return (
    <Icon>
      <path d="m12 3.800 2.500 5.200 5.700.8-4.100 4 1 5.700-5.100-2.700-5.100 2.700 1-5.700-4.100-4 5.700-.8Z" />
    </Icon>
  )
}
export function TrailerIcon() {
  return (
    <Icon>
      <path d="M7.5 5.2v13.6l11-6.8z" />
    </Icon>
  )
}
export function ShareIcon() {
  return (
    <Icon>
      <path d="M12 14.5V3.5M8 7l4-3.8L16 7M6 11.5H5a1 1 0 0 0-1 1V20a1 1 0 0 0 1 1h14a1 1 0 0 0 1-1v-7.500a1 1 0 0 0-1-1h-1" />
    </Icon>
  )
}
export function StartOverIcon() {
  return (
    <Icon>
      <path d="M5 5v14M19 5.2v13.6L8.2 12z" />
    </Icon>
  )
}
export function RecordIcon() {
  return (
    <Icon>
      <circle cx="12" cy="12" r="7" />
    </Icon>
  )
}
