$ErrorActionPreference = 'SilentlyContinue'
[Console]::OutputEncoding = New-Object System.Text.UTF8Encoding $false
$registry = New-Object System.Collections.ArrayList
function Take($path) {
  $key = Get-Item -LiteralPath "Registry::$path"
  if ($key) {
    foreach ($name in @('') + @($key.GetValueNames() | Where-Object { $_ })) {
      $value = $key.GetValue($name)
      if ($value -is [string] -or $value -is [int] -or $value -is [long]) {
        [void]$registry.Add(@{ Key = $path; Name = $name; Value = "$value" })
      }
    }
  }
}
function TakeBelow($path) { foreach ($key in Get-ChildItem -LiteralPath "Registry::$path") { Take $key.Name } }
$machine = 'HKEY_LOCAL_MACHINE'
Take "$machine\SOFTWARE\Microsoft\Windows NT\CurrentVersion"
Take "$machine\SYSTEM\CurrentControlSet\Control\FileSystem"
Take "$machine\SYSTEM\CurrentControlSet\Control\CI\Policy"
Take "$machine\SOFTWARE\Microsoft\VisualStudio\14.0\VC\Runtimes\X64"
Take "$machine\SOFTWARE\Microsoft\Windows\CurrentVersion\Lxss\MSI"
TakeBelow "$machine\SYSTEM\CurrentControlSet\Control\Class\{4d36e968-e325-11ce-bfc1-08002be10318}"
foreach ($root in 'HKEY_CURRENT_USER', $machine) {
  foreach ($tag in Get-ChildItem -LiteralPath "Registry::$root\SOFTWARE\Python\PythonCore") {
    Take $tag.Name
    Take "$($tag.Name)\InstallPath"
  }
}
$wanted = 'ProductName', 'EditionID', 'DisplayVersion', 'CurrentBuild', 'UBR', 'LongPathsEnabled',
  'VerifiedAndReputablePolicyState', 'Installed', 'Version', 'DriverDesc', 'DriverVersion', 'DriverDate',
  'RadeonSoftwareVersion', 'MatchingDeviceId', 'HardwareInformation.qwMemorySize', 'SysVersion', 'ExecutablePath', ''
$sdks = @(Get-ChildItem -LiteralPath "$env:ProgramFiles\AMD\ROCm" -Directory | ForEach-Object { $_.FullName })
$folders = @("$env:SystemRoot\System32") + @($sdks | ForEach-Object { "$_\bin" })
@{
  Registry = @($registry | Where-Object { $wanted -contains $_.Name })
  VideoControllers = @(Get-CimInstance Win32_VideoController | ForEach-Object { @{
    Name = $_.Name; PNPDeviceID = $_.PNPDeviceID; DriverVersion = $_.DriverVersion
    DriverDate = $(if ($_.DriverDate) { $_.DriverDate.ToString('yyyy-MM-dd') })
    ConfigManagerErrorCode = $_.ConfigManagerErrorCode } })
  Processors = @(Get-CimInstance Win32_Processor | ForEach-Object { @{
    Name = $_.Name; NumberOfCores = $_.NumberOfCores; NumberOfLogicalProcessors = $_.NumberOfLogicalProcessors } })
  Memory = (Get-CimInstance Win32_ComputerSystem).TotalPhysicalMemory
  Caption = (Get-CimInstance Win32_OperatingSystem).Caption
  Architecture = $env:PROCESSOR_ARCHITECTURE
  Disks = @(Get-CimInstance Win32_LogicalDisk -Filter 'DriveType=3' | ForEach-Object { @{
    DeviceID = $_.DeviceID; Size = $_.Size; FreeSpace = $_.FreeSpace } })
  Libraries = @(Get-ChildItem -Path $folders -Filter 'amdhip64*.dll' | ForEach-Object { @{
    Path = $_.FullName; Version = $_.VersionInfo.FileVersion } })
  Sdks = $sdks
} | ConvertTo-Json -Depth 4 -Compress
