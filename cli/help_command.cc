#include "cli/help_command.h"

#include <cstdlib>
#include <iostream>
#include <string>

namespace chuhe {
namespace {

// App::help() would explain the command that was parsed, which is `help`.
std::string HelpOf(const CLI::App& app, const std::string& name) {
  return app.get_formatter()->make_help(&app, name, CLI::AppFormatMode::Normal);
}

}  // namespace

void HelpCommand::Register(CLI::App& app) {
  app_ = &app;
  CLI::App* help = app.add_subcommand("help", "Show all commands, or the options of one");
  help->add_option("COMMAND", topic_, "The command to explain");
  help->footer("Example: chuhe help perft");
}

int HelpCommand::Run() {
  if (topic_.empty()) {
    std::cout << HelpOf(*app_, app_->get_name());
    return EXIT_SUCCESS;
  }
  for (const CLI::App* command : app_->get_subcommands(nullptr)) {
    if (command->get_name() == topic_) {
      std::cout << HelpOf(*command, app_->get_name() + " " + topic_);
      return EXIT_SUCCESS;
    }
  }
  std::cerr << "chuhe help: no command '" << topic_ << "'; `chuhe help` lists them all\n";
  return EXIT_FAILURE;
}

}  // namespace chuhe
