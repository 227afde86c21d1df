{
  description = "Countersign: agreements, deliveries as digests, decisions, and records that verify offline";

  inputs.nixpkgs.url = "github:NixOS/nixpkgs/nixos-unstable";

  outputs = { self, nixpkgs }:
    let
      systems = [ "x86_64-linux" "aarch64-linux" ];
      each = make: nixpkgs.lib.genAttrs systems (system: make nixpkgs.legacyPackages.${system});
    in
    {
      # Node 24 and a Postgres to point DATABASE_URL at; everything else comes from package-lock.json.
      devShells = each (pkgs: {
        default = pkgs.mkShell { packages = [ pkgs.nodejs_24 pkgs.postgresql_18 ]; };
      });

      packages = each (pkgs: {
        default = pkgs.buildNpmPackage {
          pname = "countersign";
          version = "0.1.0";
          src = self;
          nodejs = pkgs.nodejs_24;
          npmDeps = pkgs.importNpmLock { npmRoot = self; };
          npmConfigHook = pkgs.importNpmLock.npmConfigHook;
          npmFlags = [ "--ignore-scripts" ];
          npmBuildScript = "build";
          # Without its install script the embedded Postgres is not there: this package needs DATABASE_URL.
          makeCacheWritable = true;
          postInstall = "rm -f $out/lib/node_modules/countersign/node_modules/.bin/node";
        };
      });
    };
}
